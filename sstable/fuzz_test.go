package sstable

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"siftdb/internal/allocs"
	"siftdb/internal/cache"
	"siftdb/internal/corrupt"
	"siftdb/internal/key"
)

// The fuzz targets hold that no bytes make a decoder panic, run on, or allocate beyond reason, and that what it
// refuses it refuses with the right error.

// addGolden adds the golden files to the seeds.
func addGolden(f *testing.F, add func(file []byte)) {
	names, err := filepath.Glob(filepath.Join("testdata", "*.sst"))
	if err != nil || len(names) < 3 {
		f.Fatalf("golden files %v, %v", names, err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		add(b)
	}
}

func FuzzBlock(f *testing.F) {
	for _, n := range []int{1, 16, 17, 40} {
		var w blockWriter
		last := []byte(nil)
		for _, e := range numbered(n, 5) {
			w.add(e.Key, commonPrefix(last, e.Key.User), e.Value)
			last = e.Key.User
		}
		f.Add(w.finish(), numberedKey(7).User, uint64(8))
	}
	f.Fuzz(func(t *testing.T, content, user []byte, seq uint64) {
		b, ok := openBlock(content)
		if !ok {
			return
		}
		allocs.Little(t, 16, len(content), 64<<10, func() { useBlock(t, b, key.Lookup(user, key.Seq(seq)&key.MaxSeq)) })
	})
}

// useBlock does everything that can be done with a block.
func useBlock(t *testing.T, b block, k key.Key) {
	found := b.find(k.User, k.Trailer)
	if found.verdict == verdictFound && found.trailer > k.Trailer {
		t.Error("found a version newer than asked for")
	}
	var it blockIter
	it.reset(b)
	walkBlock(t, &it, it.first, it.next)
	walkBlock(t, &it, it.last, it.prev)
	walkBlock(t, &it, func() bool { return it.seekGE(k) }, it.next)
}

// walkBlock moves until the end; a block of n bytes has fewer than n entries.
func walkBlock(t *testing.T, it *blockIter, start, step func() bool) {
	it.bad = false
	limit := len(it.entries)
	for ok := start(); ok; ok = step() {
		if limit--; limit < 0 {
			t.Fatal("the walk does not end")
		}
	}
}

func FuzzIndex(f *testing.F) {
	var w indexWriter
	for i := range 20 {
		if i > 0 {
			if err := w.addSeparator(numberedKey(i).User, numberedKey(i+1).User); err != nil {
				f.Fatal(err)
			}
		}
		w.addBlock(100)
		f.Add(w.append(nil), int64(100*(i+1)), numberedKey(i).User)
	}
	f.Fuzz(func(t *testing.T, content []byte, end int64, user []byte) {
		var x *index
		var err error
		allocs.Little(t, 32, len(content), 64<<10, func() { x, err = parseIndex(content, end) })
		if err != nil {
			return
		}
		if x.memoryBytes() > 32*int64(len(content))+64 {
			t.Errorf("%d bytes of memory for an index of %d", x.memoryBytes(), len(content))
		}
		i := x.search(user)
		if i > 0 && x.compareSeparator(user, i-1) <= 0 || x.compareSeparator(user, i) > 0 {
			t.Errorf("search(%q) is block %d, which its separators exclude", user, i)
		}
	})
}

func FuzzProperties(f *testing.F) {
	_, p := write(f, filtered(), numbered(10, 10))
	f.Add(p.append(nil))
	p.Replaces, p.Part = []uint64{3, 1 << 40, 0}, 2
	f.Add(p.append(nil))
	f.Add(new(Properties).append(nil))
	f.Fuzz(func(t *testing.T, content []byte) {
		var p *Properties
		var at int
		var err error
		allocs.Little(t, 32, len(content), 64<<10, func() { p, at, err = parseProperties(content) })
		if err != nil {
			if at < 0 || at > len(content) {
				t.Errorf("the error is at byte %d of %d", at, len(content))
			}
			return
		}
		again, _, err := parseProperties(p.append(nil))
		if err != nil || !bytes.Equal(again.append(nil), p.append(nil)) {
			t.Errorf("%+v comes back as %+v, %v", p, again, err)
		}
	})
}

func FuzzFooter(f *testing.F) {
	for _, foot := range []footer{{data: 1000, filter: 100, index: 50, props: 80}, {data: 1 << 30, index: 1 << 20, props: 80}} {
		f.Add(foot.append(nil), foot.fileSize())
	}
	f.Fuzz(func(t *testing.T, b []byte, size int64) {
		if len(b) != footerSize || size < footerSize {
			return
		}
		var foot footer
		var at int
		var err error
		allocs.Little(t, 16, len(b), 64<<10, func() { foot, at, err = decodeFooter(b, size) })
		if err == nil && (foot.fileSize() != size || foot.tailSize() < footerSize || !bytes.Equal(foot.append(nil), b)) {
			t.Errorf("%+v for a file of %d bytes", foot, size)
		}
		if at < 0 || at >= footerSize {
			t.Errorf("the error is at byte %d", at)
		}
	})
}

func FuzzSnappy(f *testing.F) {
	s := sealer{compression: Snappy}
	stored := s.seal(bytes.Repeat([]byte("siftdb"), 100), 0)
	f.Add(stored[:len(stored)-trailerSize])
	f.Fuzz(func(t *testing.T, packed []byte) {
		allocs.Little(t, snappyExpansion, len(packed), 64<<10, func() {
			if content, err := unpack(nil, packed); err == nil && len(content) > snappyExpansion*len(packed) {
				t.Errorf("%d bytes became %d", len(packed), len(content))
			}
		})
	})
}

// FuzzTable opens the bytes as they are.
func FuzzTable(f *testing.F) {
	file, p := write(f, filtered(), numbered(60, 20))
	f.Add(contents(f, file), p.TailSize)
	file, p = write(f, WriterOptions{}, nil)
	f.Add(contents(f, file), p.TailSize)
	addGolden(f, func(b []byte) { f.Add(b, int64(0)) })
	f.Fuzz(func(t *testing.T, b []byte, tail int64) { useTable(t, b, tail) })
}

// FuzzSealedTable gives the checksums what they want, so that what they protect is reached.
func FuzzSealedTable(f *testing.F) {
	o := filtered()
	o.BlockSize, o.Compression = 128, NoCompression
	file, p := write(f, o, numbered(60, 20))
	good := takeApart(f, file, p)
	f.Add(good.data[:len(good.data)-trailerSize], good.filter, good.index, p.append(nil))
	o = filtered()
	file, p = write(f, o, numbered(2, 1))
	good = takeApart(f, file, p)
	f.Add(good.data[:len(good.data)-trailerSize], good.filter, good.index, p.append(nil))
	f.Fuzz(func(t *testing.T, data, filter, index, props []byte) {
		raw := sealer{compression: NoCompression}
		b := assemble(raw.seal(bytes.Clone(data), 0), filter, index, props)
		useTable(t, b, 0)
	})
}

// useTable does everything that can be done with a table.
func useTable(t *testing.T, b []byte, tail int64) {
	file, blocks := fileOf(t, b), cache.New(1<<16)
	var r *Reader
	var err error
	allocs.Little(t, 40, len(b), 64<<10, func() {
		r, err = Open(file, int64(len(b)), ReaderOptions{Name: "table", Cache: blocks, TailSize: tail})
	})
	if err != nil {
		if !errors.Is(err, corrupt.ErrCorrupt) {
			t.Errorf("Open: %v", err)
		}
		return
	}
	if filterOf(r) != nil && problemOf(r) != nil {
		t.Error("a filter and a problem")
	}
	sound := false
	allocs.Little(t, 2*snappyExpansion, len(b), 64<<10, func() { sound = r.Verify(t.Context()) == nil })
	var a Access
	it := r.NewIter(&a)
	n := uint64(0)
	for ok := it.First(); ok; ok = it.Next() {
		if n++; sound {
			_, _, o, err := r.Get(it.Key().User, it.Key().Seq(), &a)
			if o != Found || err != nil {
				t.Errorf("Get(%s): %s, %v in a table that Verify likes", it.Key(), o, err)
			}
		}
	}
	for ok := it.Last(); ok; ok = it.Prev() {
		n--
	}
	if sound && (n != 0 || it.Err() != nil) {
		t.Errorf("forwards and backwards differ by %d entries, %v, in a table that Verify likes", n, it.Err())
	}
	for range r.Layout() {
	}
	for range r.Entries() {
	}
}
