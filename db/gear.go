package db

import internal "siftdb/internal/iter"

// gear is what an Iterator works with: its sources and buffers. It goes from one Iterator to the next, so that making one
// costs little; the Iterator itself does not, for its user may still hold it.
type gear struct {
	sources  sources
	bounds   []byte // the range's, one after the other
	skip     []byte // walking forward: the user key whose older versions are passed over
	keyBuf   []byte // walking backward: the key and the value that the Iterator is at
	valueBuf []byte
}

// takeGear is one that nobody uses.
func (db *DB) takeGear() *gear {
	if g, ok := db.gears.Get().(*gear); ok {
		return g
	}
	return new(gear)
}

// giveGear takes back one whose sources are closed.
func (db *DB) giveGear(g *gear) {
	g.sources.forget()
	if cap(g.keyBuf)+cap(g.valueBuf)+cap(g.skip)+cap(g.bounds) > largestKeptGear {
		g.keyBuf, g.valueBuf, g.skip, g.bounds = nil, nil, nil, nil
	}
	db.gears.Put(g)
}

// largestKeptGear is how many bytes of buffers a gear may keep for the next Iterator.
const largestKeptGear = 64 << 10

// over is an iterator over the memtables of v and those of its tables that hold keys of it's bounds. Memtables that are
// empty now have nothing that it sees.
func (g *gear) over(v *view, it *Iterator) (internal.Iterator, error) {
	if !v.mem.Empty() {
		g.sources.addMemTable(v.mem, it.seq)
	}
	for _, m := range v.frozen {
		g.sources.addMemTable(m, it.seq)
	}
	for _, t := range v.tables[0] {
		if !t.meta.Overlaps(it.bounds.Lower, it.bounds.Upper) {
			continue
		}
		if err := g.sources.addTable(it.db, t, &it.access); err != nil {
			return nil, err
		}
	}
	for level := 1; level < len(v.tables); level++ {
		g.sources.addRun(it.db, v.overlapping(level, it.bounds.Lower, it.bounds.Upper), &it.access)
	}
	return g.sources.merged(), nil
}

// keepBounds is r with copies of its bounds, which live as long as the gear is lent.
func (g *gear) keepBounds(r Range) Range {
	n := len(r.Lower)
	g.bounds = append(append(g.bounds[:0], r.Lower...), r.Upper...)
	if r.Lower != nil {
		r.Lower = lent(g.bounds[:n])
	}
	if r.Upper != nil {
		r.Upper = lent(g.bounds[n:])
	}
	return r
}

// keep copies user to skip, which is not nil then, even for the empty key.
func (g *gear) keep(user []byte) {
	if g.skip == nil {
		g.skip = make([]byte, 0, 64)
	}
	g.skip = append(g.skip[:0], user...)
}
