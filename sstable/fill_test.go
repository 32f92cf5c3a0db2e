package sstable

import (
	"bytes"
	"testing"

	"siftdb/internal/cache"
)

// fillFrom offers r's cache all of a file in pieces of so many bytes.
func fillFrom(t *testing.T, r *Reader, file []byte, piece int) {
	t.Helper()
	for at, rounds := int64(0), 0; at < int64(len(file)); rounds++ {
		next := r.FillCache(file[at:min(at+int64(piece), int64(len(file)))], at)
		if next <= at || next > at+int64(piece) || rounds > 2*len(file)/piece+r.index.blocks() {
			t.Fatalf("after a piece of %d bytes at %d it goes on at %d, in round %d", piece, at, next, rounds)
		}
		at = next
	}
}

// TestFillCache: every block that fits into a piece comes into the cache as a read of it would bring it, wherever the
// pieces begin; one that is larger does not, and nor does one that is damaged.
func TestFillCache(t *testing.T) {
	rng := newRand(t)
	for range 50 {
		o := randomOptions(rng)
		f, p := write(t, o, numbered(1+rng.IntN(3000), rng.IntN(100)))
		file := contents(t, f)
		damaged := -1
		r := open(t, fileOf(t, file), p.FileSize, p.TailSize)
		if n := r.index.blocks(); n > 0 && rng.IntN(2) == 0 {
			damaged = rng.IntN(n)
			h := r.index.block(damaged)
			file[h.offset+rng.Int64N(h.length)] ^= 1 << rng.IntN(8)
		}
		piece := 1 + rng.IntN(1+min(len(file), 1<<rng.IntN(20)))
		fillFrom(t, r, file, piece)
		for i := range r.index.blocks() {
			h := r.index.block(i)
			held, ok := r.cache.Peek(r.cacheID(h))
			want := h.length <= int64(piece) && i != damaged
			if ok != want {
				t.Fatalf("block %d of %d bytes, pieces of %d, %d damaged: it is in the cache: %v", i, h.length, piece, damaged, ok)
			}
			if !ok {
				continue
			}
			body, kind, err := checked(file[h.offset:h.end()], h.offset)
			if err != nil || !bytes.Equal(held.Bytes, body) || held.Form != formOf(kind) {
				t.Fatalf("block %d: the cache has %d bytes of form %d, not %d of kind %d (%v)",
					i, len(held.Bytes), held.Form, len(body), kind, err)
			}
		}
		clear(file) // nothing of it is held
		for i := range r.index.blocks() {
			if i != damaged {
				if _, err := r.block(i, &Access{Mode: UseCache}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// TestFillCacheWithoutRoom: no block goes for one that nobody asked for.
func TestFillCacheWithoutRoom(t *testing.T) {
	f, p := write(t, WriterOptions{BlockSize: 1 << 10, Compression: NoCompression}, numbered(1000, 100))
	asked, err := Open(f, p.FileSize, ReaderOptions{Name: "table", ID: 1, Cache: cache.New(20 << 10)})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		if _, err := asked.block(i, &Access{Mode: UseCache}); err != nil {
			t.Fatal(err)
		}
	}
	fillFrom(t, asked, contents(t, f), 8<<10)
	if n := asked.cache.Metrics(); n.Entries < 10 || n.Bytes > 20<<10 {
		t.Errorf("a cache of 20 KiB has %d blocks with %d bytes", n.Entries, n.Bytes)
	}
	for i := range 5 {
		if _, held := asked.cache.Peek(asked.cacheID(asked.index.block(i))); !held {
			t.Errorf("block %d, which was asked for, has gone", i)
		}
	}
	none, err := Open(f, p.FileSize, ReaderOptions{Name: "table", ID: 1})
	if err != nil {
		t.Fatal(err)
	}
	fillFrom(t, none, contents(t, f), 8<<10)
}
