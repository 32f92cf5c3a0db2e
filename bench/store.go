package bench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"siftdb/db"
)

// rowStore is the store of one row.
type rowStore struct {
	*db.DB
	dir    string
	device *device
}

// openStore opens the store in dir, and makes it if there is none.
func openStore(o *db.Options, dir string) (*rowStore, error) {
	dev := newDevice(db.OSFiles())
	o.FS = dev
	store, err := db.Open(dir, o)
	if err != nil {
		return nil, err
	}
	return &rowStore{DB: store, dir: dir, device: dev}, nil
}

// mustBeEmpty says that a directory holds something, if it does.
func mustBeEmpty(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("siftdb: bench: %w", err)
	}
	if len(entries) > 0 {
		return fmt.Errorf("siftdb: bench: %s is not empty; a store needs a directory of its own", dir)
	}
	return nil
}

// storeOptions are the options that all stores of c have.
func storeOptions(c *Config) *db.Options {
	o := &db.Options{
		NoSync:       true,
		MemTableSize: c.MemTableSize,
		TableSize:    c.TableSize,
		CacheSize:    c.CacheSize,
		OpenTables:   maxTables + 100, // if the system allows it; more are counted as a cost of lookups
		Workers:      1,               // several take turns as chance has it
	}
	if c.CacheSize == 0 {
		o.CacheSize = -1
	}
	if c.Layout == LazyLeveled {
		o.Compaction = db.LazyLeveled
	}
	return o
}

// rowOptions are the options of the store while the row with setting s is measured.
func rowOptions(c *Config, w Workload, s Setting) *db.Options {
	o := storeOptions(c)
	o.Filter, o.FilterPlan = s.Policy(), s.Plan
	switch c.Layout {
	case Overlap:
		o.NoCompaction = true
		o.MemTableSize = wholeTable(c, w)
	case Levels:
		o.NoCompaction = true // the levels are as they should be
	}
	return o
}

// wholeTable is a memtable size that one table of the overlap layout fits into, whatever a memtable takes beside keys
// and values.
func wholeTable(c *Config, w Workload) int64 {
	return 1<<20 + 2*(w.Size()+memTablePerKey*int64(w.Present()))/int64(c.Tables)
}

// warm opens every table and loads the filters, so that reading them and indexes is not counted as a cost of lookups.
// Where the store cannot hold all of them open at once, Phase.TableOpens will show it.
func (s *rowStore) warm(ctx context.Context) error {
	for table := range s.Tables() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if table.Open {
			continue
		}
		// An iterator asks every table that may hold the key, where a point read would stop at the first that does.
		it := s.NewIter(db.Range{Lower: table.Smallest, Limit: 1}, db.NoCache)
		it.First()
		if err := it.Close(); err != nil {
			return err
		}
	}
	return s.LoadFilters(ctx)
}
