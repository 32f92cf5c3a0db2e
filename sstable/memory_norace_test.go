//go:build !race

package sstable

import "testing"

// TestWalksDoNotAllocate: a compaction reads blocks by the million. (The race detector makes pools forgetful.)
func TestWalksDoNotAllocate(t *testing.T) {
	entries := numbered(3000, 100)
	f, p := write(t, WriterOptions{BlockSize: 512, Compression: Snappy}, entries)
	r, err := Open(f, p.FileSize, ReaderOptions{Name: "table", TailSize: p.TailSize})
	if err != nil {
		t.Fatal(err)
	}
	it := r.NewIter(&Access{Mode: SkipCache})
	blocks := float64(p.DataBlocks)
	perWalk := testing.AllocsPerRun(5, func() {
		for ok := it.First(); ok; ok = it.Next() {
		}
	})
	if perWalk > blocks/20 {
		t.Errorf("a walk over %v blocks allocates %v times", blocks, perWalk)
	}
}
