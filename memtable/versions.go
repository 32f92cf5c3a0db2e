package memtable

import (
	"bytes"

	"siftdb/internal/iter"
	"siftdb/internal/key"
)

// VersionIter walks over all entries, every version of every user key. It is for the flush of a table that is no
// longer added to; beside a writer it shows some of the new entries and not others.
//
// What it hands out lives as with Iter, and the same rules for goroutines hold.
type VersionIter struct {
	keys cursor
	// entry is the current one, in the chain that begins at keys.newest(); nil: not Valid.
	entry entry
}

var _ iter.Iterator = (*VersionIter)(nil)

// NewVersionIter makes an iterator over all entries.
func (t *Table) NewVersionIter() *VersionIter { return &VersionIter{keys: cursor{t: t}} }

// First implements iter.Iterator.
func (i *VersionIter) First() bool { return i.atNewest(i.keys.first()) }

// Last implements iter.Iterator.
func (i *VersionIter) Last() bool { return i.atOldest(i.keys.last()) }

// SeekGE implements iter.Iterator.
func (i *VersionIter) SeekGE(k key.Key) bool {
	if !i.atNewest(i.keys.seekGE(k.User)) {
		return false
	}
	if !bytes.Equal(i.entry.user(), k.User) {
		return true
	}
	i.entry = i.keys.t.arena.newestUpTo(i.keys.newest(), k.Trailer)
	return i.entry != nil || i.atNewest(i.keys.next())
}

// SeekLT implements iter.Iterator.
func (i *VersionIter) SeekLT(k key.Key) bool {
	if !i.atOldest(i.keys.seekLE(k.User)) {
		return false
	}
	if !bytes.Equal(i.entry.user(), k.User) {
		return true
	}
	i.entry = i.keys.t.arena.oldestAbove(i.keys.newest(), k.Trailer)
	return i.entry != nil || i.atOldest(i.keys.prev())
}

// Next implements iter.Iterator.
func (i *VersionIter) Next() bool {
	if i.entry.linked() {
		i.entry = i.keys.t.arena.at(i.entry.older())
		return true
	}
	return i.atNewest(i.keys.next())
}

// Prev implements iter.Iterator.
func (i *VersionIter) Prev() bool {
	i.entry = i.keys.t.arena.oldestAbove(i.keys.newest(), i.entry.trailer())
	return i.entry != nil || i.atOldest(i.keys.prev())
}

// Valid implements iter.Iterator.
func (i *VersionIter) Valid() bool { return i.entry != nil }

// Key implements iter.Iterator.
func (i *VersionIter) Key() key.Key { return i.entry.key() }

// Value implements iter.Iterator.
func (i *VersionIter) Value() []byte { return i.entry.value() }

// Err implements iter.Iterator: memory does not fail.
func (i *VersionIter) Err() error { return nil }

// Close implements iter.Iterator. All moves of a closed VersionIter report false.
func (i *VersionIter) Close() error {
	i.keys, i.entry = cursor{}, nil
	return nil
}

// atNewest settles on the newest version of the cursor's key; atKey says whether it is at one.
func (i *VersionIter) atNewest(atKey bool) bool {
	i.entry = nil
	if atKey {
		i.entry = i.keys.t.arena.at(i.keys.newest())
	}
	return atKey
}

// atOldest settles on the oldest version of the cursor's key.
func (i *VersionIter) atOldest(atKey bool) bool {
	i.entry = nil
	if atKey {
		i.entry = i.keys.t.arena.oldest(i.keys.newest())
	}
	return atKey
}
