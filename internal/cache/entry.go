package cache

import "sync/atomic"

// entryOverhead estimates what an entry takes beside its block: the entry itself (64 bytes), two slots of the
// hash table at its usual load, and its part of what past remembers.
const entryOverhead = 96

// maxUses is how many uses an entry counts until it is looked at, and so the rounds of the main queue it can earn.
const maxUses = 3

// entry is one block. Id and block never change, so that readers need no lock.
type entry struct {
	id    ID
	block []byte
	uses  atomic.Uint32
	next  *entry // in its queue
}

// size is what the entry counts for.
func (e *entry) size() int64 { return int64(cap(e.block)) + entryOverhead }

// use notes that the entry was asked for. Two at once may count as one, which no decision depends on; once full
// it writes nothing, so that hot entries are not passed between processors.
func (e *entry) use() {
	if u := e.uses.Load(); u < maxUses {
		e.uses.Store(u + 1)
	}
}

// queue is a list of entries, first in, first out. The zero value is empty.
type queue struct {
	head, tail *entry
	bytes      int64
}

func (q *queue) push(e *entry) {
	e.next = nil
	if q.tail == nil {
		q.head = e
	} else {
		q.tail.next = e
	}
	q.tail = e
	q.bytes += e.size()
}

// pop takes the oldest entry, or nil when there is none.
func (q *queue) pop() *entry {
	e := q.head
	if e == nil {
		return nil
	}
	q.head = e.next
	if q.head == nil {
		q.tail = nil
	}
	e.next = nil
	q.bytes -= e.size()
	return e
}
