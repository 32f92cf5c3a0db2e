package sstable

import (
	"bytes"
	"fmt"
	"sync"
	"testing"

	"siftdb/internal/cache"
	"siftdb/internal/iter/check"
)

// halfPacked are entries whose values compress to about half, each block to others' bytes.
func halfPacked(t *testing.T, n, size int) []check.Entry {
	rng := newRand(t)
	entries := numbered(n, size)
	for i := range entries {
		for at := range size / 2 {
			entries[i].Value[at] = byte(rng.Uint32())
		}
	}
	return entries
}

// packedReader reads a table of packed blocks through a cache of a part of them.
func packedReader(t *testing.T, entries []check.Entry, blockSize int, cacheSize int64) *Reader {
	t.Helper()
	f, p := write(t, WriterOptions{BlockSize: blockSize, Compression: Snappy}, entries)
	r, err := Open(f, p.FileSize, ReaderOptions{Name: "table", ID: 1, Cache: cache.New(cacheSize)})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestReadersBesideBlocksThatGo: look-ups and walks through a cache that holds few of the blocks find what was written,
// while the memory of those that go is used again and the file's blocks are dropped.
func TestReadersBesideBlocksThatGo(t *testing.T) {
	entries := halfPacked(t, 1000, 1000)
	r := packedReader(t, entries, 16<<10, 150<<10)
	var readers sync.WaitGroup
	for n := range 4 {
		rng := newRand(t)
		readers.Go(func() {
			for round := range 3000 {
				i := rng.IntN(len(entries))
				access := Access{Mode: UseCache}
				value, _, _, err := r.Get([]byte(fmt.Sprintf("key%08d", 2*i)), 1<<40, &access)
				if err != nil || !bytes.Equal(value, entries[i].Value) {
					t.Errorf("entry %d is %.8x, not %.8x (%v)", i, value, entries[i].Value, err)
					return
				}
				access.Release()
				if n == 0 && round%50 == 0 {
					r.cache.DropFiles(1)
				}
			}
		})
	}
	readers.Go(func() {
		for range 3 {
			it, i := r.NewIter(&Access{Mode: PeekCache}), 0
			for ok := it.First(); ok; ok = it.Next() {
				if !bytes.Equal(it.Value(), entries[i].Value) {
					t.Errorf("a walk finds %.8x, not %.8x at entry %d", it.Value(), entries[i].Value, i)
					return
				}
				i++
			}
			if err := it.Err(); err != nil || i != len(entries) {
				t.Errorf("a walk ends after %d entries: %v", i, err)
				return
			}
		}
	})
	readers.Wait()
}
