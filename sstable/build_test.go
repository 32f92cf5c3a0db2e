package sstable

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"siftdb/bloom"
	"siftdb/internal/cache"
	"siftdb/internal/fsys"
	"siftdb/internal/iter/check"
	"siftdb/internal/key"
)

// tenBits is the policy of most tests.
var tenBits = bloom.BitsPerKey(10)

// filtered are options with a filter of ten bits per key.
func filtered() WriterOptions {
	return WriterOptions{Filter: tenBits.Builder(bloom.Place{}), FilterName: tenBits.String(), AskedBits: tenBits.AskedBits()}
}

// memFile makes an empty file in memory.
func memFile(tb testing.TB) fsys.File {
	tb.Helper()
	f, err := fsys.NewMem().Create("table")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { f.Close() })
	return f
}

// fileOf makes a file in memory that holds b.
func fileOf(tb testing.TB, b []byte) fsys.File {
	f := memFile(tb)
	if _, err := f.WriteAt(b, 0); err != nil {
		tb.Fatal(err)
	}
	return f
}

// contents reads the whole file.
func contents(tb testing.TB, f fsys.File) []byte {
	tb.Helper()
	info, err := f.Stat()
	if err != nil {
		tb.Fatal(err)
	}
	b := make([]byte, info.Size())
	if n, err := f.ReadAt(b, 0); n != len(b) {
		tb.Fatal(err)
	}
	return b
}

// write builds a table of entries.
func write(tb testing.TB, o WriterOptions, entries []check.Entry) (fsys.File, Properties) {
	tb.Helper()
	f := memFile(tb)
	w := NewWriter(f, "table", o)
	for _, e := range entries {
		if err := w.Add(e.Key, e.Value); err != nil {
			tb.Fatal(err)
		}
	}
	p, err := w.Finish()
	if err != nil {
		tb.Fatal(err)
	}
	return f, p
}

// build builds a table and opens it, with a small cache.
func build(tb testing.TB, o WriterOptions, entries []check.Entry) *Reader {
	tb.Helper()
	f, p := write(tb, o, entries)
	return open(tb, f, p.FileSize, p.TailSize)
}

func open(tb testing.TB, f fsys.File, size, tail int64) *Reader {
	tb.Helper()
	r, err := Open(f, size, ReaderOptions{Name: "table", ID: 1, Cache: cache.New(1 << 20), TailSize: tail})
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// numbered makes n entries of one version each, key00000000 and so on in steps of two, with values of a size.
func numbered(n, size int) []check.Entry {
	entries := make([]check.Entry, n)
	for i := range entries {
		entries[i] = check.Entry{Key: numberedKey(2 * i), Value: fmt.Appendf(nil, "%0*d", size, i)}
	}
	return entries
}

// numberedKey is in numbered's table when i is even.
func numberedKey(i int) key.Key {
	return key.Make(fmt.Appendf(nil, "key%08d", i), key.Seq(i+1), key.KindSet)
}

// newRand prints the seed of a random test.
func newRand(tb testing.TB) *rand.Rand {
	seed := rand.Uint64()
	tb.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// randomOptions draws a block size from 64 bytes to 64 KiB, a codec and a filter or none.
func randomOptions(r *rand.Rand) WriterOptions {
	var o WriterOptions
	if p := []bloom.Policy{bloom.None, bloom.Classic(10), bloom.Blocked(8)}[r.IntN(3)]; p != bloom.None {
		o = WriterOptions{Filter: p.Builder(bloom.Place{}), FilterName: p.String(), AskedBits: p.AskedBits()}
	}
	o.BlockSize = 64 << r.IntN(11)
	o.Compression = Compression(r.IntN(2))
	return o
}

// newest is what Get has to find: a model of it over sorted entries.
func newest(entries []check.Entry, user []byte, seq key.Seq) (check.Entry, Outcome) {
	i, _ := slices.BinarySearchFunc(entries, key.Lookup(user, key.MaxSeq), func(e check.Entry, k key.Key) int {
		return key.Compare(e.Key, k)
	})
	o := Absent
	for ; i < len(entries) && string(entries[i].Key.User) == string(user); i++ {
		if entries[i].Key.Seq() <= seq {
			return entries[i], Found
		}
		o = Hidden
	}
	return check.Entry{}, o
}

// checkGet compares one Get with the model.
func checkGet(tb testing.TB, r *Reader, a *Access, entries []check.Entry, user []byte, seq key.Seq) {
	tb.Helper()
	want, outcome := newest(entries, user, seq)
	value, kind, o, err := r.Get(user, seq, a)
	if err != nil {
		tb.Fatalf("Get(%q, %d): %v", user, seq, err)
	}
	if o != outcome {
		tb.Fatalf("Get(%q, %d) is %s, want %s", user, seq, o, outcome)
	}
	if o == Found && (kind != want.Key.Kind() || string(value) != string(want.Value)) {
		tb.Fatalf("Get(%q, %d) is %s %q, want %s", user, seq, kind, value, want)
	}
	if o != Absent && filterOf(r) != nil && !filterOf(r).MayContain(bloom.Sum(user)) {
		tb.Fatalf("the filter denies %q", user)
	}
}

// filterOf is the table's filter, nil when there is none or it is not usable; problemOf says why.
func filterOf(r *Reader) bloom.TableFilter {
	filter, _ := r.LoadFilter()
	return filter
}

func problemOf(r *Reader) error {
	_, err := r.LoadFilter()
	return err
}
