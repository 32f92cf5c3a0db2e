package wal

import (
	"path/filepath"

	"siftdb/internal/corrupt"
)

// admit checks, when a segment turns out to hold a record, that nothing is missing before it: the log finishes a
// segment before it writes to the next.
//
// Segments 3, 5 and 8, where 8 says that 3 comes before it, are in order when 3 has its end record and 5 holds no
// record: 5 is what a failed rotation left behind. Where 8 says that 6 comes before it, 6 is missing.
func (r *replay) admit(s *reading) error {
	if s.admitted {
		return nil
	}
	s.admitted = true
	earlier := r.read[:len(r.read)-1]
	if len(earlier) == 0 {
		return nil
	}
	previous := s.header.Previous
	if previous == 0 {
		return afterAll(earlier, s)
	}
	found := previous < earlier[0].Number // it is not needed any more
	for _, e := range earlier {
		switch {
		case e.Number == previous && !e.CleanEnd:
			return lost(e, s)
		case e.Number == previous:
			found = true
		case e.Number > previous && e.admitted:
			return corrupt.New(s.name, 20, "header says that segment %d comes before it, but segment %d holds records",
				previous, e.Number)
		case e.Number > previous:
			e.passedBy = true
		}
	}
	if !found {
		return corrupt.New(filepath.Join(r.dir, Name(previous)), -1,
			"the log segment is missing, segment %d was written after it", s.Number)
	}
	return nil
}

// afterAll checks the segments before the first one of a process, which names none before it.
func afterAll(earlier []*reading, s *reading) error {
	for _, e := range earlier {
		if !e.CleanEnd && !e.passedBy {
			return lost(e, s)
		}
	}
	return nil
}

// lost is the error of a segment that lost its end.
func lost(e, s *reading) error {
	at, reason := e.TornAt, e.Reason
	if at < 0 {
		at, reason = e.size, "the segment stops without its end record"
	}
	return corrupt.New(e.name, at, "%s, although segment %d, which was written after it, holds records",
		reason, s.Number)
}
