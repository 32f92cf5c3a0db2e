package cache

import "sync/atomic"

// entryOverhead estimates what an entry takes beside its block: the entry itself (80 bytes), two slots of the
// hash table at its usual load (24 bytes each), and its part of what past remembers.
const entryOverhead = 144

const (
	// maxUses is how many uses an entry counts until the hand passes it.
	maxUses = 12
	// maxRounds is how many of them may earn it a round of the main queue each.
	maxRounds = 3
)

// entry is one block. Id, bytes, form and recycled never change, so that readers need no lock: a block that is unpacked
// gets a new entry.
type entry struct {
	id         ID
	bytes      []byte
	form       Form
	recycled   bool // the bytes are packed, and another's when they are let go; see recycle.go
	main       bool // it is in the main queue; guarded by the shard's lock, like its neighbours
	uses       atomic.Uint32
	pins       atomic.Int32 // who looks at the bytes, if they are recycled
	prev, next *entry       // in its queue
}

// size is what the entry counts for.
func (e *entry) size() int64 { return int64(cap(e.bytes)) + entryOverhead }

// block is the entry as readers get it, pinned.
func (e *entry) block() Block {
	b := Block{Bytes: e.bytes, Form: e.form}
	if e.recycled {
		b.held = e
	}
	return b
}

// noByte is the first of a block that has none.
var noByte byte

// first is the byte of the block that is looked at first: packed blocks are uncompressed from their start on, and what
// says how the content of one is divided stands at its end.
func (e *entry) first() *byte {
	switch {
	case len(e.bytes) == 0:
		return &noByte
	case e.form == Packed:
		return &e.bytes[0]
	}
	return &e.bytes[len(e.bytes)-1]
}

// use notes that the entry was asked for, and returns how often it was since the hand passed it. Two at once may count
// as one, which no decision depends on; once full it writes nothing, so that hot entries are not passed between
// processors.
func (e *entry) use() uint32 {
	u := e.uses.Load()
	if u < maxUses {
		u++
		e.uses.Store(u)
	}
	return u
}

// queue is a list of entries, first in, first out. The zero value is empty.
type queue struct {
	head, tail *entry
	bytes      int64
}

func (q *queue) push(e *entry) {
	e.prev, e.next = q.tail, nil
	if q.tail == nil {
		q.head = e
	} else {
		q.tail.next = e
	}
	q.tail = e
	q.bytes += e.size()
}

// remove takes out an entry that is in the queue.
func (q *queue) remove(e *entry) {
	if e.prev == nil {
		q.head = e.next
	} else {
		e.prev.next = e.next
	}
	if e.next == nil {
		q.tail = e.prev
	} else {
		e.next.prev = e.prev
	}
	e.prev, e.next = nil, nil
	q.bytes -= e.size()
}

// pop takes the oldest entry, or nil when there is none.
func (q *queue) pop() *entry {
	e := q.head
	if e != nil {
		q.remove(e)
	}
	return e
}
