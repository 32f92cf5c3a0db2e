package db

import (
	"iter"
	"slices"

	"siftdb/internal/key"
	"siftdb/internal/manifest"
	"siftdb/internal/striped"
	"siftdb/memtable"
)

// memTable is a memtable with the log segment that holds the same writes. Its memory goes to another when no view has
// it any more: what a read finds in it is good for as long as the read has its view.
type memTable struct {
	*memtable.Table
	log   uint64
	last  key.Seq // of its writes; known once it is frozen
	views int     // that have it; guarded by DB.mu
}

// view is everything a read looks at, as one value that never changes: the memtables, and the tables of one
// version. Change makes a new view and swaps it in, under DB.mu. Long work on tables has views of its own, without
// memtables (pinTables), which are never the current one.
//
// Views are counted. While a view has users, its files stay; when the last one lets go, tables that no other
// view has are removed.
type view struct {
	mem     *memTable   // nil in a view of tables alone
	frozen  []*memTable // full memtables waiting for their flush, newest first
	version *manifest.Version
	// tables mirrors version.Levels: the same places, the tables with what the store keeps about them.
	tables [manifest.NumLevels][]*table

	// users counts who holds the view, striped because each read is one of them for a moment. The low half counts
	// running calls, the store itself among them; the high half iterators, for which Close does not wait.
	users *striped.Counter
}

const (
	callUser     int64 = 1
	iteratorUser int64 = 1 << 32
)

// calls is the number of running calls in a count of users.
func calls(users int64) int64 { return users & (iteratorUser - 1) }

// acquire takes the current view for user, or nil after Close.
func (db *DB) acquire(user int64) *view {
	line := striped.Line()
	for {
		v := db.view.Load()
		if v == nil {
			return nil
		}
		v.users.AddIn(line, user)
		if db.holds(v, line, user) {
			return v
		}
	}
}

// holds says whether v, in which user was just counted, is still the current view. If not, it was replaced between the
// two and may be retired by now, and user is not counted any more.
func (db *DB) holds(v *view, line int, user int64) bool {
	if db.view.Load() == v {
		return true
	}
	v.users.AddIn(line, -user) // in another line, this could stand for somebody else's release
	db.checkReplaced(v)
	return false
}

// release gives v back.
func (db *DB) release(v *view, user int64) {
	v.users.Add(-user)
	if db.view.Load() != v {
		db.checkReplaced(v)
	}
}

// checkReplaced looks whether anybody still has v, which is not the current view any more. Whoever has was counted
// before it was replaced, so that the sum has them all, and each of them looks when letting go: the last one finds that
// it is.
func (db *DB) checkReplaced(v *view) {
	switch n := v.users.Sum(); {
	case n == 0:
		db.retire(v)
	case calls(n) == 0 && db.closed.Load():
		db.wake() // under the lock, or Close could miss it between its look at the count and its wait
	}
}

// pinTables is a view of the tables there are, without the memtables, for one iteratorUser; nil after Close. It is for
// what takes long: a view would keep the memory of memtables that are flushed meanwhile.
func (db *DB) pinTables() *view {
	db.mu.Lock()
	defer db.mu.Unlock()
	v := db.view.Load()
	if v == nil {
		return nil
	}
	return db.pinTablesLocked(v)
}

// pinTablesLocked is pinTables of the current view. DB.mu is held.
func (db *DB) pinTablesLocked(current *view) *view {
	pinned := &view{version: current.version, tables: current.tables}
	db.bookLocked(pinned, iteratorUser)
	return pinned
}

// installLocked makes v the current view. DB.mu is held; the caller releases the view that is returned, after
// unlocking.
func (db *DB) installLocked(v *view) (old *view) {
	db.bookLocked(v, callUser)
	return db.view.Swap(v)
}

// bookLocked takes v into the books, with its first user. DB.mu is held.
func (db *DB) bookLocked(v *view, user int64) {
	v.users = striped.NewCounter()
	v.users.Add(user)
	for m := range v.memTables() {
		m.views++
	}
	for level, tables := range v.tables {
		for _, t := range tables {
			t.views++
			db.moveLocked(t, level)
		}
	}
	db.views[v] = struct{}{}
}

// retire takes a view that nobody uses out of the books, if that was not done yet: of several who let go, more than one
// may find that nobody is left. Of what no view has any more, it hands tables to the cleaner, and the memory of
// memtables to those to come.
func (db *DB) retire(v *view) {
	for _, m := range db.forget(v) {
		m.Release()
	}
}

// forget is the part of retire that is done under DB.mu. It returns the memtables that no view has any more.
func (db *DB) forget(v *view) (done []*memTable) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if _, there := db.views[v]; !there {
		return nil
	}
	defer db.changed.Broadcast()
	delete(db.views, v)
	for m := range v.memTables() {
		if m.views--; m.views == 0 {
			done = append(done, m)
		}
	}
	for _, level := range v.tables {
		for _, t := range level {
			if t.views--; t.views == 0 {
				db.obsoleteLocked(t)
			}
		}
	}
	return done
}

// memTables are the memtables of v, newest first.
func (v *view) memTables() iter.Seq[*memTable] {
	return func(yield func(*memTable) bool) {
		if v.mem != nil && !yield(v.mem) {
			return
		}
		for _, m := range v.frozen {
			if !yield(m) {
				return
			}
		}
	}
}

// withMemTables is a view like v with other memtables.
func (v *view) withMemTables(mem *memTable, frozen []*memTable) *view {
	return &view{mem: mem, frozen: frozen, version: v.version, tables: v.tables}
}

// withVersion is a view like v with the tables of another version. known finds the tables that exist already;
// new ones are made by create.
func (v *view) withVersion(
	version *manifest.Version, known map[uint64]*table, create func(*manifest.Table) *table,
) *view {
	next := &view{mem: v.mem, frozen: v.frozen, version: version}
	for level, metas := range version.Levels {
		next.tables[level] = make([]*table, len(metas))
		for i, meta := range metas {
			t := known[meta.Number]
			if t == nil {
				t = create(meta)
				known[meta.Number] = t
			}
			next.tables[level][i] = t
		}
	}
	return next
}

// runs are the sorted runs of v's tables: each table of level 0, and each level below it. A look-up of an absent key
// asks one table of each.
func (v *view) runs() iter.Seq[[]*table] {
	return func(yield func([]*table) bool) {
		for i := range v.tables[0] {
			if !yield(v.tables[0][i : i+1]) {
				return
			}
		}
		for _, tables := range v.tables[1:] {
			if len(tables) > 0 && !yield(tables) {
				return
			}
		}
	}
}

// sequence is the newest sequence number that a read starting now may see. The view must have been acquired
// before: then everything up to the result is in the view, or hidden by newer entries in none of its tables.
func (db *DB) sequence() key.Seq { return key.Seq(db.visible.Load()) }

// overlapping are the tables of a level below 0 whose range shares a key with lower..upper, both included; nil means no
// bound.
func (v *view) overlapping(level int, lower, upper []byte) []*table {
	first, end := v.version.Span(level, lower, upper)
	return v.tables[level][first:end]
}

// find is what the store keeps about tables of a level of v.
func (v *view) find(level int, metas []*manifest.Table) []*table {
	found := make([]*table, 0, len(metas))
	for _, meta := range metas {
		found = append(found, v.tables[level][slices.Index(v.version.Levels[level], meta)])
	}
	return found
}
