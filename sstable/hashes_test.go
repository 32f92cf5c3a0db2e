package sstable

import (
	"testing"

	"siftdb/bloom"
)

// TestChunksOfHashes: chunks double up to the largest, however many there are, and all hashes come back in order.
func TestChunksOfHashes(t *testing.T) {
	const n = 20 * largestChunk / hashSize
	var k keyHashes
	defer k.release()
	for i := range uint64(n) {
		k.add(bloom.Hash{H1: i, H2: ^i})
	}
	size := smallestChunk
	for i, c := range k.chunks {
		if cap(c.bytes) != size || i < len(k.chunks)-1 && len(c.bytes) != size {
			t.Fatalf("chunk %d has %d bytes with room for %d, not %d", i, len(c.bytes), cap(c.bytes), size)
		}
		size = min(2*size, largestChunk)
	}
	next := uint64(0)
	for some := range k.all() {
		for _, h := range some {
			if h != (bloom.Hash{H1: next, H2: ^next}) {
				t.Fatalf("hash %d is %v", next, h)
			}
			next++
		}
	}
	if next != n || k.len() != n {
		t.Errorf("%d hashes came back, %d are counted, of %d", next, k.len(), n)
	}
}
