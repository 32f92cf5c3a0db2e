package db

import (
	internal "siftdb/internal/iter"
	"siftdb/internal/key"
	"siftdb/sstable"
)

// runIter runs through tables that do not overlap and ascend, and opens each when it is reached.
type runIter struct {
	internal.Concat
	db     *DB
	tables []*table
	access *sstable.Access
	open   sstable.Iter
}

func (r *runIter) reset(db *DB, tables []*table, access *sstable.Access) {
	r.db, r.tables, r.access = db, tables, access
	r.Concat.Reset(r)
}

// Close closes the table that is open, and lets go of the others.
func (r *runIter) Close() error {
	err := r.Concat.Close()
	r.tables, r.access = nil, nil
	return err
}

// Len implements iter.Parts.
func (r *runIter) Len() int { return len(r.tables) }

// Bounds implements iter.Parts.
func (r *runIter) Bounds(i int) (smallest, largest key.Key) {
	return r.tables[i].meta.Smallest, r.tables[i].meta.Largest
}

// Open implements iter.Parts.
func (r *runIter) Open(i int) (internal.Iterator, error) {
	reader, err := r.db.tables.reader(r.tables[i])
	if err != nil {
		return nil, err
	}
	r.open.Reset(reader, r.access)
	return &r.open, nil
}
