package bench

import (
	"context"
	"fmt"
	"math"
	"time"

	"siftdb/bloom"
	"siftdb/db"
)

// levelFiller makes the store of the Levels layout, the deepest level first. The levels above it are made of tables
// in level 0 that the store merges into the first level that is worth having: which one that is follows from the
// size of the memtable and the ratio of levels. So each level is made with the store opened for it. What comes out is
// checked.
type levelFiller struct {
	config   *Config
	workload Workload
	dir      string
	shape    shape
	order    permutation // deals the keys out to levels
	loader   loader
	deepest  int64 // bytes of the deepest level, once it is made
	build    Build
}

// fillLevels makes the store in dir, whose tables get no filters.
func fillLevels(ctx context.Context, c *Config, w Workload, dir string, p Progress) (Build, error) {
	f := &levelFiller{
		config:   c,
		workload: w,
		dir:      dir,
		shape:    shapeOf(w.Present(), c.Levels, c.Ratio),
		order:    newPermutation(w.Present(), c.Seed^levelOrder),
		loader:   loader{ctx: ctx, workload: w, progress: p},
	}
	p.Begin("load", w.Present())
	defer p.End()
	for level := len(f.shape) - 1; level >= 0; level-- {
		if err := f.fill(level); err != nil {
			return f.build, err
		}
	}
	return f.build, nil
}

// fill opens the store for one level, makes it and checks it.
func (f *levelFiller) fill(level int) error {
	start := time.Now()
	options := f.options(level)
	store, err := openStore(options, f.dir)
	if err != nil {
		return err
	}
	f.loader.store = store
	if f.isDeepest(level) {
		err = f.putDeepest(options.MemTableSize)
	} else {
		err = f.putAbove(level, options.MemTableSize)
	}
	if err == nil {
		err = f.check(level)
	}
	f.build.add(store, time.Since(start))
	if closeErr := store.Close(); err == nil {
		err = closeErr
	}
	return err
}

func (f *levelFiller) isDeepest(level int) bool { return level == len(f.shape)-1 }

const (
	// deepestMemTable is the memtable of which the deepest level is made, in bytes.
	deepestMemTable = 64 << 20
	// flushesPerMerge is how many tables the store lets be in level 0 before it merges them.
	flushesPerMerge = 4
)

// levelTableSize is the store's option for the Levels layout: tables that hold about as many keys as the smallest
// level, so that levels have 1, 10, 100 tables and so on. Filters in planes cost more for small tables: each has
// leastKeysOfTable at least, unless that leaves the deepest level with few tables.
func levelTableSize(c *Config, w Workload) int64 {
	n := w.Present()
	keys := max(shapeOf(n, c.Levels, c.Ratio)[0], leastKeysOfTable)
	keys = min(keys, max(leastKeysOfTable, n/fewTables))
	perKey := w.Size() / int64(n)
	return int64(keys) * perKey * 3 / 4 // about, compressed
}

const (
	leastKeysOfTable = 5000
	fewTables        = 200
)

// options are those of the store while a level is made.
func (f *levelFiller) options(level int) *db.Options {
	o := storeOptions(f.config)
	o.TableSize = levelTableSize(f.config, f.workload)
	o.Filter = bloom.None
	if f.isDeepest(level) {
		o.NoCompaction = true // before all of it is there
		o.MemTableSize = deepestMemTable
		return o
	}
	// The targets of levels fall by the ratio; level 0 is merged into the first that is below two memtables. In the
	// geometric middle between two targets both are far.
	o.LevelRatio = toldRatio(f.config.Ratio)
	above := float64(len(f.shape)-1-level) - 0.5
	o.MemTableSize = int64(float64(f.deepest) / math.Pow(float64(o.LevelRatio), above) / 2)
	return o
}

// toldRatio is the ratio that the store is told: three quarters of the true one, so that no level is over its target.
// A key takes less room in the deepest level, where the store has no use for its sequence number.
func toldRatio(ratio int) int { return ratio * 3 / 4 }

// putDeepest puts the keys of the deepest level in their order, and merges the tables.
func (f *levelFiller) putDeepest(memTable int64) error {
	for i := range f.workload.Present() {
		if !f.isDeepest(f.levelOf(i)) {
			continue
		}
		if err := f.loader.put(i); err != nil {
			return err
		}
		if f.loader.held >= memTable {
			if err := f.loader.flush(); err != nil {
				return err
			}
		}
	}
	if err := f.loader.flush(); err != nil {
		return err
	}
	return f.loader.store.Compact(f.loader.ctx, db.Range{})
}

// putAbove puts the keys of another level as tables over the whole range of keys: as many as are merged.
func (f *levelFiller) putAbove(level int, memTable int64) error {
	var keys []int
	for i := range f.workload.Present() {
		if f.levelOf(i) == level {
			keys = append(keys, i)
		}
	}
	size := f.workload.Size()/int64(f.workload.Present()) + memTablePerKey
	tables := flushesPerMerge
	for int64(len(keys)/tables+1)*size > memTable {
		tables += flushesPerMerge
	}
	return f.loader.deal(len(keys), func(i int) int { return keys[i] }, tables)
}

// levelOf is the level of present key i, 0 being the smallest.
func (f *levelFiller) levelOf(i int) int { return f.shape.levelOf(f.order.at(i)) }

// check compares the levels of the store with those that should be there when a level and all below it are made.
func (f *levelFiller) check(level int) error {
	var got []int64
	for _, l := range f.loader.store.Metrics().Levels {
		if l.Tables > 0 {
			got = append(got, l.Filter.Keys)
			f.deepest = l.Bytes // at last
		}
	}
	for i, want := range f.shape[level:] {
		if len(got) != len(f.shape)-level || got[i] != int64(want) {
			return fmt.Errorf("siftdb: bench: levels of %d keys came out where %v should be", got, f.shape[level:])
		}
	}
	return nil
}
