package sstable

import (
	"bytes"
	"cmp"

	"siftdb/internal/key"
)

// blockIter walks over the entries of one block, in both directions. Moves report whether there is an entry; bad
// tells an end from bytes that make no sense.
type blockIter struct {
	block
	user    []byte // of the current entry, put together here
	trailer key.Trailer
	value   []byte // a view of the block
	at      int    // position of the current entry
	after   int    // position of the one after it
	bad     bool   // the bytes at position at make no sense
	passed  passed // entries right before the current one; none unless prev filled it
}

// reset goes to the start of another block, before its first entry, and keeps the buffers.
func (it *blockIter) reset(b block) {
	it.passed.clear()
	*it = blockIter{block: b, user: it.user[:0], passed: it.passed}
}

// key is the current entry's; its bytes live until the next move.
func (it *blockIter) key() key.Key { return key.Key{User: it.user, Trailer: it.trailer} }

// compare orders the current entry against k.
func (it *blockIter) compare(k key.Key) int {
	if c := bytes.Compare(it.user, k.User); c != 0 {
		return c
	}
	return cmp.Compare(k.Trailer, it.trailer)
}

// decode makes the entry at a position the current one; the key of the entry before it stands in user, unless
// it is a restart point.
func (it *blockIter) decode(at int) bool {
	it.at = at
	if at >= len(it.entries) {
		return false
	}
	shared, suffix, value, trailer, next := it.entry(at)
	if next < 0 || shared > len(it.user) {
		it.bad = true
		return false
	}
	it.user = append(it.user[:shared], suffix...)
	it.trailer, it.value, it.after = trailer, value, next
	return true
}

// restartAt makes the i-th restart point the current entry.
func (it *blockIter) restartAt(i int) bool {
	it.passed.clear()
	it.user = it.user[:0]
	return it.decode(it.restart(i))
}

func (it *blockIter) first() bool { return it.restartAt(0) }

func (it *blockIter) next() bool {
	it.passed.clear()
	return it.decode(it.after)
}

func (it *blockIter) last() bool { return it.lastBefore(it.restartCount()-1, len(it.entries)) }

// lastBefore moves to the last entry before a position, from a restart point before it, and keeps the entries that
// it comes by.
func (it *blockIter) lastBefore(restart, position int) bool {
	ok := it.restartAt(restart)
	for ok && it.after < position {
		it.passed.push(it)
		ok = it.decode(it.after)
	}
	return ok
}

// prev takes what lastBefore kept, or comes from the nearest restart point and keeps the entries on the way.
func (it *blockIter) prev() bool {
	if it.passed.pop(it) {
		return true
	}
	position := it.at
	low, high := 0, it.restartCount() // those below low are before position
	for low < high {
		if mid := int(uint(low+high) / 2); it.restart(mid) < position {
			low = mid + 1
		} else {
			high = mid
		}
	}
	// Also where restart points are out of order the one below low is before position: no walk goes in circles.
	return low > 0 && it.lastBefore(low-1, position)
}

// seekGE moves to the first entry that is not before k; false: all are.
func (it *blockIter) seekGE(k key.Key) bool {
	restart, ok := it.restartBefore(k.User, k.Trailer)
	if !ok {
		it.bad = true
		return false
	}
	for ok = it.restartAt(restart); ok && it.compare(k) < 0; {
		ok = it.next()
	}
	return ok
}
