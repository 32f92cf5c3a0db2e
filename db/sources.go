package db

import (
	internal "siftdb/internal/iter"
	"siftdb/internal/key"
	"siftdb/sstable"
)

// merged is an iterator over the memtables of v and those of its tables that hold keys of it's bounds.
func (db *DB) merged(v *view, it *Iterator) (internal.Iterator, error) {
	var sources []internal.Iterator
	for _, m := range append([]*memTable{v.mem}, v.frozen...) {
		sources = append(sources, m.NewIter(it.seq))
	}
	for level := range v.tables {
		var err error
		sources, err = db.appendRuns(sources, level, v.overlapping(level, it.bounds.Lower, it.bounds.Upper), &it.access)
		if err != nil {
			return nil, err
		}
	}
	return internal.NewMerge(sources...), nil
}

// appendRuns appends iterators over tables of one level: one for each in level 0, where they overlap, and one for all
// below. They read as access says. After an error all sources are closed.
func (db *DB) appendRuns(sources []internal.Iterator, level int, tables []*table, access *sstable.Access) ([]internal.Iterator, error) {
	if level > 0 && len(tables) > 0 {
		return append(sources, db.concat(tables, access)), nil
	}
	for _, t := range tables {
		r, err := db.tables.reader(t)
		if err != nil {
			closeAll(sources)
			return nil, err
		}
		sources = append(sources, r.NewIter(access))
	}
	return sources, nil
}

// concat runs through tables of one level, opening each when it is reached.
func (db *DB) concat(tables []*table, access *sstable.Access) internal.Iterator {
	bounds := func(i int) (smallest, largest key.Key) {
		return tables[i].meta.Smallest, tables[i].meta.Largest
	}
	open := func(i int) (internal.Iterator, error) {
		r, err := db.tables.reader(tables[i])
		if err != nil {
			return nil, err
		}
		return r.NewIter(access), nil
	}
	return internal.NewConcat(len(tables), bounds, open)
}

func closeAll(sources []internal.Iterator) {
	for _, s := range sources {
		s.Close()
	}
}
