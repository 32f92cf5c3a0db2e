package wal

import "siftdb/internal/offheap"

// The bytes that wait to be written are in buffers outside the heap. Most of the time there are some ten KiB of them,
// but while a segment is synced, or the writer has no processor, up to maxWaiting, and the heap would grow by twice as
// much.

// fullBuffer has room for all that may wait but for the last group. It is what a buffer begins with where memory that
// is not touched is none.
const fullBuffer = maxWaiting + 1<<20

// beyond is room for what record.Append writes beyond a record for a moment; without, it would turn to the heap.
const beyond = 64

// withRoom is b with room for a record of n bytes more. What b was is gone if it had not as much.
func withRoom(b []byte, n int64) []byte {
	need := len(b) + int(n) + beyond
	if need <= cap(b) {
		return b
	}
	size := max(need, 2*cap(b), offheap.Smallest)
	if offheap.Untouched {
		size = max(size, fullBuffer)
	}
	grown, _ := offheap.Alloc(size)
	grown = grown[:copy(grown, b)]
	offheap.Free(b)
	return grown
}

// putAwayLocked keeps a buffer whose bytes are written for the next ones, unless one as large is kept already.
func (l *Log) putAwayLocked(b []byte) {
	if cap(b) > cap(l.spare) {
		b, l.spare = l.spare, b[:0]
	}
	offheap.Free(b)
}

// spareLocked is the memory that is held for bytes to come.
func (l *Log) spareLocked() int {
	if len(l.tail.pending) > 0 {
		return cap(l.spare)
	}
	return cap(l.spare) + cap(l.tail.pending)
}

// shrinkLocked gives back the memory that a burst of writes needed.
func (l *Log) shrinkLocked() {
	offheap.Free(l.spare)
	l.spare = nil
	if len(l.tail.pending) == 0 {
		offheap.Free(l.tail.pending)
		l.tail.pending = nil
	}
}

// drop gives back the buffers of a segment that will not be written any more.
func (s *segment) drop() {
	offheap.Free(s.writing)
	offheap.Free(s.pending)
	s.writing, s.pending = nil, nil
}
