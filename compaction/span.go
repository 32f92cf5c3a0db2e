package compaction

import (
	"bytes"

	"siftdb/internal/manifest"
)

// span is a range of user keys, both ends included.
type span struct{ smallest, largest []byte }

// cover is the smallest span over all tables, of which there must be one.
func cover(lists ...[]*manifest.Table) span {
	var s span
	empty := true
	for _, tables := range lists {
		for _, t := range tables {
			if empty {
				s, empty = span{t.Smallest.User, t.Largest.User}, false
			}
			s = s.with(t)
		}
	}
	return s
}

// with is the span grown to hold t.
func (s span) with(t *manifest.Table) span {
	if bytes.Compare(t.Smallest.User, s.smallest) < 0 {
		s.smallest = t.Smallest.User
	}
	if bytes.Compare(t.Largest.User, s.largest) > 0 {
		s.largest = t.Largest.User
	}
	return s
}

// holds reports whether all of t lies in the span.
func (s span) holds(t *manifest.Table) bool {
	return bytes.Compare(s.smallest, t.Smallest.User) <= 0 && bytes.Compare(t.Largest.User, s.largest) <= 0
}

func (s span) overlaps(o span) bool {
	return bytes.Compare(s.smallest, o.largest) <= 0 && bytes.Compare(o.smallest, s.largest) <= 0
}

// bytesOf is the size of the tables' files.
func bytesOf(tables []*manifest.Table) int64 {
	var sum int64
	for _, t := range tables {
		sum += t.Size
	}
	return sum
}
