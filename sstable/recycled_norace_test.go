//go:build !race

package sstable

import (
	"runtime"
	"testing"
)

// TestReadersLetGoOfBlocks: the memory of blocks that were read and go from the cache is there for those that come. (The
// race detector makes pools forgetful.)
func TestReadersLetGoOfBlocks(t *testing.T) {
	const rounds = 20
	entries := halfPacked(t, 2000, 500)
	r := packedReader(t, entries, 4<<10, 100<<10)
	var m memory
	walk := func() {
		for range rounds {
			for i := range r.index.blocks() {
				for range 2 { // from the file, and from the cache
					access := &Access{Mode: UseCache}
					if _, err := r.blockInto(&m, i, r.sourceFor(access.Mode), access); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
	walk()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	walk()
	runtime.ReadMemStats(&after)
	blocks := uint64(rounds * r.index.blocks())
	if each := (after.TotalAlloc - before.TotalAlloc) / blocks; each > 1000 {
		t.Errorf("%d bytes are allocated for each block", each)
	}
}
