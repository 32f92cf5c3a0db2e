package sstable

import (
	"encoding/binary"

	"siftdb/internal/key"
)

// keptBuffer is the largest buffer that is kept for the next block.
const keptBuffer = 1 << 20

// blockWriter builds the content of one data block after the other. The zero value is ready.
type blockWriter struct {
	buf      []byte
	restarts []uint32
	entries  int
}

// size is the size of the content as it stands.
func (w *blockWriter) size() int { return len(w.buf) + 4*len(w.restarts) + 4 }

// sizeWith bounds the size of the content with one more entry.
func (w *blockWriter) sizeWith(k key.Key, shared int, value []byte) int {
	unshared := len(k.User) - shared
	if w.entries%restartInterval == 0 {
		unshared, shared = len(k.User), 0
	}
	return w.size() + 4 + uvarintLen(uint64(shared)) + uvarintLen(uint64(unshared)) +
		uvarintLen(uint64(len(value))) + uvarintLen(uint64(k.Trailer)) + unshared + len(value)
}

// add appends an entry whose user key has its first shared bytes in common with the entry before.
func (w *blockWriter) add(k key.Key, shared int, value []byte) {
	if w.entries%restartInterval == 0 {
		w.restarts = append(w.restarts, uint32(len(w.buf)))
		shared = 0
	}
	w.entries++
	w.buf = binary.AppendUvarint(w.buf, uint64(shared))
	w.buf = binary.AppendUvarint(w.buf, uint64(len(k.User)-shared))
	w.buf = binary.AppendUvarint(w.buf, uint64(len(value)))
	w.buf = binary.AppendUvarint(w.buf, uint64(k.Trailer))
	w.buf = append(w.buf, k.User[shared:]...)
	w.buf = append(w.buf, value...)
}

// finish completes the content. It is valid until reset, and leaves room for a trailer behind it.
func (w *blockWriter) finish() []byte {
	for _, r := range w.restarts {
		w.buf = binary.LittleEndian.AppendUint32(w.buf, r)
	}
	w.buf = binary.LittleEndian.AppendUint32(w.buf, uint32(len(w.restarts)))
	return w.buf
}

// reset begins the next block.
func (w *blockWriter) reset() {
	w.buf, w.restarts, w.entries = w.buf[:0], w.restarts[:0], 0
	if cap(w.buf) > keptBuffer {
		w.buf = nil
	}
}
