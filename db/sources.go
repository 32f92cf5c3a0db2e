package db

import (
	internal "siftdb/internal/iter"
	"siftdb/internal/key"
	"siftdb/memtable"
	"siftdb/sstable"
)

// sources are iterators over parts of a view, and the merge of them. The zero value has none. When they were closed
// they can be used again, with the memory that they have.
type sources struct {
	all       []internal.Iterator
	merge     internal.Merge
	memTables slab[memtable.Iter]
	tables    slab[sstable.Iter]
	runs      slab[runIter]
}

// merged is an iterator over all that was added, newer sources before older ones. Closing it closes them.
func (s *sources) merged() internal.Iterator {
	if len(s.all) == 1 {
		return s.all[0]
	}
	s.merge.Reset(s.all)
	return &s.merge
}

// addMemTable adds what a view at seq sees of a memtable.
func (s *sources) addMemTable(m *memTable, seq key.Seq) {
	it := s.memTables.next()
	it.Reset(m.Table, seq)
	s.all = append(s.all, it)
}

// addTable adds one table, which is read as access says. After an error all sources are closed.
func (s *sources) addTable(db *DB, t *table, access *sstable.Access) error {
	r, err := db.tables.reader(t)
	if err != nil {
		s.close()
		return err
	}
	it := s.tables.next()
	it.Reset(r, access)
	s.all = append(s.all, it)
	return nil
}

// addRun adds tables that do not overlap and ascend, as one source, which opens them as it comes to them.
func (s *sources) addRun(db *DB, tables []*table, access *sstable.Access) {
	if len(tables) == 0 {
		return
	}
	it := s.runs.next()
	it.reset(db, tables, access)
	s.all = append(s.all, it)
}

// close closes the sources one by one, for when there is no merge of them.
func (s *sources) close() {
	for _, it := range s.all {
		it.Close()
	}
}

// forget takes out all sources, which are closed, and keeps their memory.
func (s *sources) forget() {
	clear(s.all)
	s.all = s.all[:0]
	s.merge.Reset(nil)
	s.memTables.used, s.tables.used, s.runs.used = 0, 0, 0
}

// slab has values that are used again, each at an address of its own.
type slab[T any] struct {
	all  []*T
	used int
}

// next is a value that is not in use; what it was used for last shows.
func (s *slab[T]) next() *T {
	if s.used == len(s.all) {
		s.all = append(s.all, new(T))
	}
	s.used++
	return s.all[s.used-1]
}
