package bench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"siftdb/bloom"
	"siftdb/db"
)

// rowStore is the store of one row.
type rowStore struct {
	*db.DB
	dir    string
	device *device
}

// openStore makes the store of the row with bits in dir, which must not hold one.
func openStore(c *Config, w Workload, bits Bits, dir string) (*rowStore, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("siftdb: bench: %w", err)
	}
	if len(entries) > 0 {
		return nil, fmt.Errorf("siftdb: bench: %s is not empty; each row needs a directory of its own", dir)
	}
	dev := newDevice(db.OSFiles())
	opts := &db.Options{
		NoSync:       true,
		MemTableSize: c.MemTableSize,
		TableSize:    c.TableSize,
		CacheSize:    c.CacheSize,
		Workers:      1, // several take turns as chance has it
		Filter:       bits.Policy(),
		FilterPlan:   bloom.ByLevel, // what follows the traffic does not repeat to the read
		FS:           dev,
	}
	if c.CacheSize == 0 {
		opts.CacheSize = -1
	}
	if c.Layout == Overlap {
		opts.NoCompaction = true
		opts.OpenTables = max(1000, c.Tables+100)
		opts.MemTableSize = wholeTable(c, w)
	}
	store, err := db.Open(dir, opts)
	if err != nil {
		return nil, err
	}
	return &rowStore{DB: store, dir: dir, device: dev}, nil
}

// wholeTable is a memtable size that one table of the overlap layout fits into, whatever a memtable takes beside keys
// and values.
func wholeTable(c *Config, w Workload) int64 {
	return 1<<20 + 2*(w.Size()+memTablePerKey*int64(w.Present()))/int64(c.Tables)
}

// rowDir is the directory of a row's store.
func rowDir(dir string, bits Bits) string { return filepath.Join(dir, "bits-"+bits.String()) }

// warm opens every table and loads the filters, so that reading them and indexes is not counted as a cost of lookups. Where the
// store cannot hold all of them open at once, Phase.TableOpens will show it.
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
