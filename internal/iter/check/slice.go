package check

import (
	"sort"

	"siftdb/internal/iter"
	"siftdb/internal/key"
)

// Slice is the plainest iterator: it walks over entries in memory. It is the model that Run compares with, and the
// source of tests of iterators over iterators. It never fails.
type Slice struct {
	entries []Entry
	at      int // len(entries) or -1: not at an entry
	closed  int
}

var _ iter.Iterator = (*Slice)(nil)

// NewSlice walks over entries, which are in the order of key.Compare and are not copied.
func NewSlice(entries []Entry) *Slice { return &Slice{entries: entries, at: -1} }

// First implements iter.Iterator.
func (s *Slice) First() bool { return s.move(0) }

// Last implements iter.Iterator.
func (s *Slice) Last() bool { return s.move(len(s.entries) - 1) }

// SeekGE implements iter.Iterator.
func (s *Slice) SeekGE(k key.Key) bool { return s.move(s.search(k)) }

// SeekLT implements iter.Iterator.
func (s *Slice) SeekLT(k key.Key) bool { return s.move(s.search(k) - 1) }

// Next implements iter.Iterator.
func (s *Slice) Next() bool { return s.move(s.at + 1) }

// Prev implements iter.Iterator.
func (s *Slice) Prev() bool { return s.move(s.at - 1) }

// Valid implements iter.Iterator.
func (s *Slice) Valid() bool { return s.at >= 0 && s.at < len(s.entries) }

// Key implements iter.Iterator.
func (s *Slice) Key() key.Key { return s.entries[s.at].Key }

// Value implements iter.Iterator.
func (s *Slice) Value() []byte { return s.entries[s.at].Value }

// Err implements iter.Iterator.
func (s *Slice) Err() error { return nil }

// Close implements iter.Iterator.
func (s *Slice) Close() error {
	s.closed++
	return nil
}

// Closed is how many times Close was called.
func (s *Slice) Closed() int { return s.closed }

func (s *Slice) move(to int) bool {
	s.at = to
	return s.Valid()
}

// search is the index of the first entry >= k.
func (s *Slice) search(k key.Key) int {
	return sort.Search(len(s.entries), func(i int) bool { return key.Compare(s.entries[i].Key, k) >= 0 })
}
