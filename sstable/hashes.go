package sstable

import (
	"encoding/binary"
	"iter"

	"siftdb/bloom"
	"siftdb/internal/offheap"
)

// hashSize is the bytes of a hash while a table is built, hashChunk those of what is stored in one piece. Both halves
// are little-endian: outside the heap there are bytes alone.
const (
	hashSize  = 16
	hashChunk = 64 << 10
)

// hashChunks are chunks that no table needs now.
var hashChunks = offheap.NewPool(hashChunk)

// keyHashes are the hashes of a table's user keys while it is built. They are outside the heap: those of a flush and of
// some compactions at once are as much as all else that a store under load has there for longer.
type keyHashes struct {
	chunks  []*offheap.Buffer // full but for the last
	used    int               // bytes of the last
	decoded [256]bloom.Hash   // what all shows
}

func (k *keyHashes) add(h bloom.Hash) {
	if len(k.chunks) == 0 || k.used == hashChunk {
		k.chunks, k.used = append(k.chunks, hashChunks.Get()), 0
	}
	at := k.chunks[len(k.chunks)-1].Bytes[k.used:][:hashSize]
	binary.LittleEndian.PutUint64(at, h.H1)
	binary.LittleEndian.PutUint64(at[8:], h.H2)
	k.used += hashSize
}

// len is the number of hashes.
func (k *keyHashes) len() int {
	if len(k.chunks) == 0 {
		return 0
	}
	return ((len(k.chunks)-1)*hashChunk + k.used) / hashSize
}

// all are the hashes in the order of add, some at a time: each step overwrites those of the one before. One walk at a
// time.
func (k *keyHashes) all() iter.Seq[[]bloom.Hash] {
	return func(yield func([]bloom.Hash) bool) {
		left := k.len()
		for _, chunk := range k.chunks {
			for at := 0; at < hashChunk && left > 0; {
				n := k.decode(chunk.Bytes[at:], left)
				if !yield(k.decoded[:n]) {
					return
				}
				at, left = at+n*hashSize, left-n
			}
		}
	}
}

// decode makes hashes of the first bytes of a chunk, and says how many: up to most.
func (k *keyHashes) decode(chunk []byte, most int) int {
	n := min(len(chunk)/hashSize, len(k.decoded), most)
	for i := range k.decoded[:n] {
		b := chunk[i*hashSize:][:hashSize]
		k.decoded[i] = bloom.Hash{H1: binary.LittleEndian.Uint64(b), H2: binary.LittleEndian.Uint64(b[8:])}
	}
	return n
}

// release gives the memory to the next tables.
func (k *keyHashes) release() {
	for _, chunk := range k.chunks {
		hashChunks.Put(chunk)
	}
	k.chunks, k.used = nil, 0
}
