package db

import internal "siftdb/internal/iter"

// iterState is what an Iterator works with: its sources and buffers. It goes from one Iterator to the next, so that
// making one costs little; the Iterator itself does not, for its user may still hold it.
type iterState struct {
	sources  sources
	bounds   []byte // the range's, one after the other
	skip     []byte // walking forward: the user key whose older versions are passed over
	keyBuf   []byte // walking backward: the key and the value that the Iterator is at
	valueBuf []byte
}

// takeIterState is one that nobody uses.
func (db *DB) takeIterState() *iterState {
	if s, ok := db.iterStates.Get().(*iterState); ok {
		return s
	}
	return new(iterState)
}

// giveIterState takes back one whose sources are closed.
func (db *DB) giveIterState(s *iterState) {
	s.sources.forget()
	if cap(s.keyBuf)+cap(s.valueBuf)+cap(s.skip)+cap(s.bounds) > largestKeptState {
		s.keyBuf, s.valueBuf, s.skip, s.bounds = nil, nil, nil, nil
	}
	db.iterStates.Put(s)
}

// largestKeptState is how many bytes of buffers a state may keep for the next Iterator.
const largestKeptState = 64 << 10

// over is an iterator over the memtables of v and those of its tables that hold keys of it's bounds. Memtables that are
// empty now have nothing that it sees.
func (s *iterState) over(v *view, it *Iterator) (internal.Iterator, error) {
	if !v.mem.Empty() {
		s.sources.addMemTable(v.mem, it.seq)
	}
	for _, m := range v.frozen {
		s.sources.addMemTable(m, it.seq)
	}
	for _, t := range v.tables[0] {
		if !t.meta.Overlaps(it.bounds.Lower, it.bounds.Upper) {
			continue
		}
		if err := s.sources.addTable(it.db, t, &it.access); err != nil {
			return nil, err
		}
	}
	for level := 1; level < len(v.tables); level++ {
		s.sources.addRun(it.db, v.overlapping(level, it.bounds.Lower, it.bounds.Upper), &it.access)
	}
	return s.sources.merged(), nil
}

// keepBounds is r with copies of its bounds, which live as long as the state is lent.
func (s *iterState) keepBounds(r Range) Range {
	n := len(r.Lower)
	s.bounds = append(append(s.bounds[:0], r.Lower...), r.Upper...)
	if r.Lower != nil {
		r.Lower = lent(s.bounds[:n])
	}
	if r.Upper != nil {
		r.Upper = lent(s.bounds[n:])
	}
	return r
}

// keep copies user to skip, which is not nil then, even for the empty key.
func (s *iterState) keep(user []byte) {
	if s.skip == nil {
		s.skip = make([]byte, 0, 64)
	}
	s.skip = append(s.skip[:0], user...)
}
