package sstable

import "siftdb/internal/key"

// passed holds entries that a blockIter came by on its way from a restart point, so that walking backwards decodes
// each entry once and not once for every entry after it. The zero value holds none.
type passed struct {
	entries []passedEntry
	keys    []byte // their user keys, one after the other
}

type passedEntry struct {
	at, after int
	keyStart  int // in keys; it ends where keys ended when the entry was the last
	trailer   key.Trailer
	value     []byte
}

func (p *passed) clear() { p.entries, p.keys = p.entries[:0], p.keys[:0] }

// forget is clear for entries of a block that nobody should hold any more.
func (p *passed) forget() {
	clear(p.entries[:cap(p.entries)])
	p.clear()
}

// push keeps the current entry of it.
func (p *passed) push(it *blockIter) {
	p.entries = append(p.entries, passedEntry{it.at, it.after, len(p.keys), it.trailer, it.value})
	p.keys = append(p.keys, it.user...)
}

// pop makes the entry pushed last the current one of it, and reports false when there is none.
func (p *passed) pop(it *blockIter) bool {
	n := len(p.entries) - 1
	if n < 0 {
		return false
	}
	e := &p.entries[n]
	it.at, it.after, it.trailer, it.value = e.at, e.after, e.trailer, e.value
	it.user = append(it.user[:0], p.keys[e.keyStart:]...)
	p.entries, p.keys = p.entries[:n], p.keys[:e.keyStart]
	return true
}
