package memtable

import (
	"bytes"

	"siftdb/internal/iter"
	"siftdb/internal/key"
)

// Iter walks over the newest version that a view sees of each user key, deletions included. What it shows is frozen:
// entries that are added later have higher sequence numbers than the view, and Iter passes over them. Keys and
// values that it hands out are views like those of Get: they outlive the next move, and Close.
//
// An Iter is used by one goroutine at a time; many may walk over the same table, beside the one that adds.
type Iter struct {
	keys cursor
	view key.Trailer // the largest trailer that the view sees
	// entry is the current one; nil: not Valid.
	entry entry
}

var _ iter.Iterator = (*Iter)(nil)

// NewIter makes an iterator over what a view at seq sees. All entries up to seq must have been added.
func (t *Table) NewIter(seq key.Seq) *Iter {
	it := new(Iter)
	it.Reset(t, seq)
	return it
}

// Reset makes an Iter that is closed or new one over what a view of t at seq sees, as NewIter does.
func (i *Iter) Reset(t *Table, seq key.Seq) { *i = Iter{keys: cursor{t: t}, view: visibleAt(seq)} }

// First implements iter.Iterator.
func (i *Iter) First() bool { return i.onward(i.keys.first()) }

// Last implements iter.Iterator.
func (i *Iter) Last() bool { return i.back(i.keys.last()) }

// SeekGE implements iter.Iterator.
func (i *Iter) SeekGE(k key.Key) bool {
	if !i.onward(i.keys.seekGE(k.User)) {
		return false
	}
	if i.entry.trailer() > k.Trailer && bytes.Equal(i.entry.user(), k.User) {
		return i.Next()
	}
	return true
}

// SeekLT implements iter.Iterator.
func (i *Iter) SeekLT(k key.Key) bool {
	if !i.back(i.keys.seekLE(k.User)) {
		return false
	}
	if i.entry.trailer() <= k.Trailer && bytes.Equal(i.entry.user(), k.User) {
		return i.Prev()
	}
	return true
}

// Next implements iter.Iterator.
func (i *Iter) Next() bool { return i.onward(i.keys.next()) }

// Prev implements iter.Iterator.
func (i *Iter) Prev() bool { return i.back(i.keys.prev()) }

// Valid implements iter.Iterator.
func (i *Iter) Valid() bool { return i.entry != nil }

// Key implements iter.Iterator.
func (i *Iter) Key() key.Key { return i.entry.key() }

// Value implements iter.Iterator.
func (i *Iter) Value() []byte { return i.entry.value() }

// Err implements iter.Iterator: memory does not fail.
func (i *Iter) Err() error { return nil }

// Close implements iter.Iterator. All moves of a closed Iter report false.
func (i *Iter) Close() error {
	i.keys, i.entry = cursor{}, nil
	return nil
}

// onward settles on the first key, from that of the cursor on, of which the view sees a version. atKey says whether
// the cursor is at a key.
func (i *Iter) onward(atKey bool) bool {
	for ; atKey; atKey = i.keys.next() {
		if i.entry = i.keys.t.arena.newestUpTo(i.keys.newest(), i.view); i.entry != nil {
			return true
		}
	}
	i.entry = nil
	return false
}

// back settles on the first such key from that of the cursor downwards.
func (i *Iter) back(atKey bool) bool {
	for ; atKey; atKey = i.keys.prev() {
		if i.entry = i.keys.t.arena.newestUpTo(i.keys.newest(), i.view); i.entry != nil {
			return true
		}
	}
	i.entry = nil
	return false
}
