package sstable

import (
	"encoding/binary"
	"iter"

	"siftdb/bloom"
	"siftdb/internal/offheap"
)

// hashSize is the bytes of a hash while a table is built. Both halves are little-endian: outside the heap there are
// bytes alone. They stand in chunks, each twice as large as the one before, up to largestChunk.
const (
	hashSize      = 16
	smallestChunk = 64 << 10
	largestChunk  = 1 << 20
)

// keyHashes are the hashes of a table's user keys while it is built. They are outside the heap: those of a flush and of
// some compactions at once are as much as all else that a store under load has there for longer.
type keyHashes struct {
	chunks  []*hashChunk
	n       int
	decoded [256]bloom.Hash // what all shows
}

// hashChunk is some of the hashes.
type hashChunk struct {
	memory offheap.Array[byte]
	bytes  []byte // of memory, as many as have hashes
}

func (k *keyHashes) add(h bloom.Hash) {
	last := len(k.chunks) - 1
	if last < 0 || len(k.chunks[last].bytes) == cap(k.chunks[last].bytes) {
		k.grow()
		last++
	}
	c := k.chunks[last]
	c.bytes = binary.LittleEndian.AppendUint64(c.bytes, h.H1)
	c.bytes = binary.LittleEndian.AppendUint64(c.bytes, h.H2)
	k.n++
}

// grow adds an empty chunk.
func (k *keyHashes) grow() {
	size := smallestChunk
	if n := len(k.chunks); n > 0 {
		size = min(2*cap(k.chunks[n-1].bytes), largestChunk)
	}
	c := new(hashChunk)
	c.bytes = c.memory.Room(size)[:0]
	k.chunks = append(k.chunks, c)
}

// len is the number of hashes.
func (k *keyHashes) len() int { return k.n }

// all are the hashes in the order of add, some at a time: each step overwrites those of the one before. One walk at a
// time.
func (k *keyHashes) all() iter.Seq[[]bloom.Hash] {
	return func(yield func([]bloom.Hash) bool) {
		for _, c := range k.chunks {
			for left := c.bytes; len(left) > 0; {
				n := k.decode(left)
				if !yield(k.decoded[:n]) {
					return
				}
				left = left[n*hashSize:]
			}
		}
	}
}

// decode makes hashes of the first bytes of a chunk, and says how many.
func (k *keyHashes) decode(chunk []byte) int {
	n := min(len(chunk)/hashSize, len(k.decoded))
	for i := range k.decoded[:n] {
		b := chunk[i*hashSize:][:hashSize]
		k.decoded[i] = bloom.Hash{H1: binary.LittleEndian.Uint64(b), H2: binary.LittleEndian.Uint64(b[8:])}
	}
	return n
}

// release gives back the memory.
func (k *keyHashes) release() {
	for _, c := range k.chunks {
		c.memory.Release()
	}
	k.chunks, k.n = nil, 0
}
