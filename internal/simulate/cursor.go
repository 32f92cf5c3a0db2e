package simulate

import (
	"encoding/binary"
	"sort"

	"siftdb/internal/key"
)

// cursor walks over the entries of a sorted run. Of the runs of a merge, newer ones have a larger age: with no views,
// nothing else of a sequence number matters.
type cursor struct {
	entries []entry
	age     key.Seq
	at      int
	user    [8]byte
}

// userKey is a key's number as bytes that sort as the number does.
func userKey(user uint64) []byte { return binary.BigEndian.AppendUint64(nil, user) }

// move goes to an entry, if it is there.
func (c *cursor) move(at int) bool {
	c.at = at
	if !c.Valid() {
		return false
	}
	binary.BigEndian.PutUint64(c.user[:], c.entries[at].user())
	return true
}

// search is the first entry that is not below k.
func (c *cursor) search(k key.Key) int {
	return sort.Search(len(c.entries), func(i int) bool {
		own := key.Key{User: userKey(c.entries[i].user()), Trailer: c.trailer(i)}
		return key.Compare(own, k) >= 0
	})
}

func (c *cursor) trailer(i int) key.Trailer {
	if c.entries[i].deleted() {
		return key.MakeTrailer(c.age, key.KindDelete)
	}
	return key.MakeTrailer(c.age, key.KindSet)
}

// First implements iter.Iterator.
func (c *cursor) First() bool { return c.move(0) }

// Last implements iter.Iterator.
func (c *cursor) Last() bool { return c.move(len(c.entries) - 1) }

// SeekGE implements iter.Iterator.
func (c *cursor) SeekGE(k key.Key) bool { return c.move(c.search(k)) }

// SeekLT implements iter.Iterator.
func (c *cursor) SeekLT(k key.Key) bool { return c.move(c.search(k) - 1) }

// Next implements iter.Iterator.
func (c *cursor) Next() bool { return c.move(c.at + 1) }

// Prev implements iter.Iterator.
func (c *cursor) Prev() bool { return c.move(c.at - 1) }

// Valid implements iter.Iterator.
func (c *cursor) Valid() bool { return c.at >= 0 && c.at < len(c.entries) }

// Key implements iter.Iterator.
func (c *cursor) Key() key.Key { return key.Key{User: c.user[:], Trailer: c.trailer(c.at)} }

// Value implements iter.Iterator: values are not simulated.
func (c *cursor) Value() []byte { return nil }

// Err implements iter.Iterator.
func (c *cursor) Err() error { return nil }

// Close implements iter.Iterator.
func (c *cursor) Close() error { return nil }
