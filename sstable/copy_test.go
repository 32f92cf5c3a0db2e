package sstable

import (
	"context"
	"errors"
	"slices"
	"testing"

	"siftdb/bloom"
	"siftdb/internal/corrupt"
	"siftdb/internal/iter/check"
	"siftdb/internal/key"
)

// rewritten is the table with another filter.
func rewritten(t *testing.T, from *Reader, filter bloom.Builder) (*Reader, Properties) {
	t.Helper()
	f := memFile(t)
	w := NewWriter(f, "copy", WriterOptions{Filter: filter, FilterName: "other", AskedBits: 20})
	if err := w.CopyBlocks(context.Background(), from); err != nil {
		t.Fatal(err)
	}
	p, err := w.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return open(t, f, p.FileSize, p.TailSize), p
}

// A copy has the entries of the original and the filter that it was given.
func TestCopyBlocks(t *testing.T) {
	manyVersions := numbered(300, 10)
	for i := range 200 {
		manyVersions = append(manyVersions, check.Entry{Key: key.Make([]byte("zz"), key.Seq(1000-i), key.KindSet), Value: make([]byte, 50)})
	}
	for name, entries := range map[string][]check.Entry{"empty": nil, "one": numbered(1, 5), "many": numbered(5000, 40), "versions": manyVersions} {
		for _, o := range []WriterOptions{{}, filtered(), {Compression: NoCompression, BlockSize: 300}} {
			f, p := write(t, o, entries)
			from := open(t, f, p.FileSize, p.TailSize)
			for _, policy := range []bloom.Policy{bloom.None, bloom.Blocked(20), bloom.Ribbon(10)} {
				to, q := rewritten(t, from, policy.Builder(bloom.Place{Level: 1}))
				if err := to.Verify(context.Background()); err != nil {
					t.Fatalf("%s under %s: %v", name, policy, err)
				}
				if q.Entries != p.Entries || q.Keys != p.Keys || q.DataBytes != p.DataBytes || q.Filter != "other" || q.AskedBits != 20 {
					t.Errorf("%s under %s: properties %+v of %+v", name, policy, q, p)
				}
				filter, err := to.LoadFilter()
				if err != nil || (filter == nil) != (policy == bloom.None) || filter != nil && filter.Keys() != p.Keys {
					t.Errorf("%s under %s: filter %v, %v", name, policy, filter, err)
				}
				it, n := to.NewIter(&Access{}), 0
				for ok := it.First(); ok; ok = it.Next() {
					if key.Compare(it.Key(), entries[n].Key) != 0 || string(it.Value()) != string(entries[n].Value) {
						t.Fatalf("%s under %s: entry %d is %v", name, policy, n, it.Key())
					}
					n++
				}
				if n != len(entries) || it.Err() != nil {
					t.Errorf("%s under %s: %d entries, %v", name, policy, n, it.Err())
				}
			}
		}
	}
}

// A damaged block is not copied; a context that ends, and a writer in use, give errors.
func TestCopyBlocksFails(t *testing.T) {
	f, p := write(t, filtered(), numbered(2000, 40))
	b := contents(t, f)
	b[p.DataBytes/2] ^= 1
	damaged := open(t, fileOf(t, b), p.FileSize, p.TailSize)
	w := NewWriter(memFile(t), "copy", WriterOptions{})
	if err := w.CopyBlocks(context.Background(), damaged); !errors.Is(err, corrupt.ErrCorrupt) {
		t.Errorf("of a damaged table: %v", err)
	}
	if _, err := w.Finish(); !errors.Is(err, corrupt.ErrCorrupt) {
		t.Errorf("finishing it: %v", err)
	}
	from := open(t, f, p.FileSize, p.TailSize)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := NewWriter(memFile(t), "copy", WriterOptions{}).CopyBlocks(ctx, from); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	w = NewWriter(memFile(t), "copy", WriterOptions{})
	if err := w.Add(key.Make([]byte("a"), 1, key.KindSet), nil); err != nil {
		t.Fatal(err)
	}
	if err := w.CopyBlocks(context.Background(), from); err == nil {
		t.Error("into a table with entries")
	}
}

// TestReplacesIsKept: what a table was made of stands in it, and does not pass into a copy.
func TestReplacesIsKept(t *testing.T) {
	o := filtered()
	o.Replaces, o.Part = []uint64{7, 1 << 50, 300}, 4
	r := build(t, o, numbered(50, 10))
	if p := r.Properties(); !slices.Equal(p.Replaces, o.Replaces) || p.Part != 4 {
		t.Errorf("made of %v, part %d", p.Replaces, p.Part)
	}
	f := memFile(t)
	w := NewWriter(f, "copy", filtered())
	if err := w.CopyBlocks(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if p, err := w.Finish(); err != nil || len(p.Replaces) > 0 || p.Part != 0 {
		t.Errorf("the copy is made of %v, part %d, %v", p.Replaces, p.Part, err)
	}
	if _, _, err := parseProperties([]byte{tagReplaces, 1, 0x80}); err == nil {
		t.Error("half a number was taken")
	}
}
