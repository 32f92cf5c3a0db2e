package db

import (
	"path/filepath"
	"sync"
	"sync/atomic"

	"siftdb/internal/cache"
	"siftdb/internal/corrupt"
	"siftdb/internal/fsys"
	"siftdb/internal/manifest"
	"siftdb/sstable"
)

// table is one table of the store: what the manifest says of it, what its filter did, and its reader while it is
// open. Any goroutine may use it.
type table struct {
	meta   *manifest.Table
	filter *filterCounts
	views  int           // that have the table; guarded by DB.mu
	level  int           // where it is now, or was last; guarded by DB.mu
	base   FilterMetrics // what filter had counted when the table came to level; guarded by DB.mu

	// What is in memory of the filter, and what is known of it. The keeper changes them.
	resident  atomic.Pointer[loadedFilter]
	expected  expectation
	badPlanes atomic.Uint64         // a bit for each plane that is damaged
	unusable  atomic.Bool           // the filter as a whole is damaged or unknown
	problem   atomic.Pointer[error] // what the log has of damage to the filter
	retired   atomic.Bool           // the table is in no version any more
	sampled   *loadedFilter         // the last that was asked for keys at random; of the keeper alone
	suspected bool                  // the log has that the rate is not what theory says; of the keeper alone

	reader  atomic.Pointer[sstable.Reader] // nil while the table is not open
	recent  atomic.Bool                    // read since the clock's hand last passed
	opening sync.Mutex
	around  *sstable.ReadAround // nil: this process wrote the file, and the system has it still
	file    tableFile
}

// tables opens table files when they are first read and keeps at most limit of them open. Which to close is
// decided by a clock: the hand passes over tables that were read since it last came by.
type tables struct {
	fs    fsys.FS
	dir   string
	cache *cache.Cache
	limit int

	warmUp *sstable.WarmUp // of the tables that were there when the store was opened
	calls  fsys.Counters   // that reached table files
	opens  atomic.Int64

	mu   sync.Mutex
	open []*table // those with an open file
	hand int
}

// path is where the file of the table with that number is.
func (ts *tables) path(number uint64) string {
	return filepath.Join(ts.dir, manifest.TableName(number))
}

// newTable is a table that is not open yet.
func (db *DB) newTable(meta *manifest.Table) *table {
	t := &table{meta: meta, filter: new(filterCounts)}
	t.file = tableFile{owner: db.tables, table: t, name: db.tables.path(meta.Number)}
	db.keeper.take(t)
	return t
}

// foundTable is a table that is not open yet, of which the system may have read nothing.
func (db *DB) foundTable(meta *manifest.Table) *table {
	t := db.newTable(meta)
	t.around = sstable.NewReadAround(db.tables.warmUp, meta.Size)
	return t
}

// fileName is the name of t's file in the store's directory.
func (t *table) fileName() string { return manifest.TableName(t.meta.Number) }

// reader gives the reader of t, opening the file if need be. The reader goes on working when the table is
// closed to make room for others; its next read of a block opens the file again.
func (ts *tables) reader(t *table) (*sstable.Reader, error) {
	if r := t.reader.Load(); r != nil {
		if !t.recent.Load() { // a store on each read would make readers fight over the line
			t.recent.Store(true)
		}
		return r, nil
	}
	return ts.load(t)
}

// load reads the table's index, once for all who wait.
func (ts *tables) load(t *table) (*sstable.Reader, error) {
	t.opening.Lock()
	defer t.opening.Unlock()
	if r := t.reader.Load(); r != nil {
		return r, nil
	}
	r, err := sstable.Open(&t.file, t.meta.Size, sstable.ReaderOptions{
		Name:       t.file.name,
		ID:         t.meta.Number,
		Cache:      ts.cache,
		TailSize:   t.meta.TailSize,
		ReadAround: t.around,
	})
	if err == nil {
		err = t.holdsAgainst(r.Properties())
	}
	if err != nil {
		return nil, err
	}
	ts.opens.Add(1)
	t.recent.Store(true)
	t.reader.Store(r)
	return r, nil
}

// holdsAgainst compares what the manifest says of t with what the file says of itself: it could be another's.
func (t *table) holdsAgainst(p *sstable.Properties) error {
	is := tableOf(t.meta.Number, t.meta.Origin, p)
	is.FilterRate, is.FilterPlanes = t.meta.FilterRate, t.meta.FilterPlanes // not in the file
	if !t.meta.Equal(is) {
		return corrupt.New(t.file.name, -1, "the manifest says %v, the table's properties say %v", t.meta, is)
	}
	return nil
}

// admit notes that t's file is open, and closes others while there are too many. Once the hand has passed all of them,
// it spares none: reads that go on meanwhile could hold every table for recent.
func (ts *tables) admit(t *table) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	ts.open = append(ts.open, t)
	for spared := 0; len(ts.open) > ts.limit; {
		if ts.hand >= len(ts.open) {
			ts.hand = 0
		}
		victim := ts.open[ts.hand]
		if victim == t || spared < len(ts.open) && victim.recent.CompareAndSwap(true, false) {
			spared++
			ts.hand++
			continue
		}
		ts.removeAt(ts.hand)
		victim.reader.Store(nil)
		victim.file.shut()
	}
}

func (ts *tables) removeAt(i int) {
	last := len(ts.open) - 1
	ts.open[i] = ts.open[last]
	ts.open[last] = nil
	ts.open = ts.open[:last]
}

// forget closes t for good: it is no table of the store any more, or the store is closed.
func (ts *tables) forget(t *table) error {
	ts.mu.Lock()
	for i, other := range ts.open {
		if other == t {
			ts.removeAt(i)
			break
		}
	}
	ts.mu.Unlock()
	t.reader.Store(nil)
	return t.file.end()
}

// count is the number of open files.
func (ts *tables) count() int {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return len(ts.open)
}
