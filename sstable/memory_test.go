package sstable

import (
	"bytes"
	"testing"

	"siftdb/internal/cache"
)

// TestWalksLeaveTheCacheAlone: walks uncompress one block over the other, but never over one that the cache has as it is
// read, which others may be looking at; what they show is what is in the table, whichever blocks come from where.
func TestWalksLeaveTheCacheAlone(t *testing.T) {
	entries := numbered(3000, 100)
	for _, c := range []Compression{Snappy, NoCompression} {
		o := WriterOptions{BlockSize: 512, Compression: c}
		f, p := write(t, o, entries)
		r, err := Open(f, p.FileSize, ReaderOptions{Name: "table", Cache: cache.New(1 << 20), TailSize: p.TailSize})
		if err != nil {
			t.Fatal(err)
		}
		kept := r.NewIter(&Access{Mode: UseCache})
		for ok := kept.First(); ok; ok = kept.Next() { // brings blocks into the cache
		}
		var held [][]byte
		for i, ok := 0, kept.First(); ok && i < len(entries)/2; i, ok = i+1, kept.Next() {
			if c == NoCompression { // else the cache has them in another form
				held = append(held, kept.Value())
			}
		}
		it := new(Iter)
		for _, mode := range []Mode{SkipCache, PeekCache, UseCache, SkipCache, UseCache, PeekCache} {
			it.Reset(r, &Access{Mode: mode})
			n := 0
			for ok := it.First(); ok; ok = it.Next() {
				if !bytes.Equal(it.Value(), entries[n].Value) || !bytes.Equal(it.Key().User, entries[n].Key.User) {
					t.Fatalf("%v, mode %d: entry %d is %q, %q", c, mode, n, it.Key(), it.Value())
				}
				n++
			}
			for ok := it.Last(); ok; ok = it.Prev() {
				n--
				if !bytes.Equal(it.Value(), entries[n].Value) {
					t.Fatalf("%v, mode %d, backward: entry %d is %q", c, mode, n, it.Value())
				}
			}
			if err := it.Close(); err != nil || n != 0 {
				t.Fatalf("%v, mode %d: %d entries too many, error %v", c, mode, n, err)
			}
		}
		for i, value := range held {
			if !bytes.Equal(value, entries[i].Value) {
				t.Fatalf("%v: value %d, which the cache has, has become %q", c, i, value)
			}
		}
	}
}
