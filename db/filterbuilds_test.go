package db

import (
	"context"
	"fmt"
	"math"
	"testing"

	"siftdb/bloom"
	"siftdb/internal/fsys"
)

// builtBits are the bits a key that the stores below set.
const builtBits = 20

func setBits(o *Options) { o.Filter, o.MemTableSize = bloom.Classic(builtBits), 256<<10 }

// filterBuilds make a store of keys 0 to 999 whose tables were all built in one way.
var filterBuilds = map[string]func(t *testing.T) *DB{
	"flush of Puts": func(t *testing.T) *DB {
		store := memStore(t, setBits, func(o *Options) { o.NoCompaction = true })
		fill(t, store, 1000, 30, "")
		flush(t, store)
		return store
	},
	"flush of batches": func(t *testing.T) *DB {
		store := memStore(t, setBits, func(o *Options) { o.NoCompaction = true })
		for i := 0; i < 1000; {
			var b Batch
			for end := i + 1 + i%7; i < min(end, 1000); i++ {
				k := fmt.Sprintf("key%06d", i)
				b.Put([]byte(k), filled(k, 30, ""))
			}
			check(t, store.Apply(&b, NoSync))
		}
		flush(t, store)
		return store
	},
	"recovery of a crash": func(t *testing.T) *DB {
		disk := fsys.NewMem()
		store := openStore(t, disk, setBits)
		fill(t, store, 1000, 30, "")
		check(t, store.Sync())
		return openStore(t, disk.Clone(), setBits, func(o *Options) { o.NoCompaction = true })
	},
	"recovery of a clean end": func(t *testing.T) *DB {
		disk := fsys.NewMem()
		store := openStore(t, disk, setBits)
		fill(t, store, 1000, 30, "")
		check(t, store.Close())
		store = openStore(t, disk, setBits, func(o *Options) { o.NoCompaction = true })
		quiet(t, store)
		return store
	},
	"compaction": func(t *testing.T) *DB {
		store := memStore(t, setBits, func(o *Options) { o.MemTableSize = 16 << 10 })
		fill(t, store, 1000, 30, "")
		for round := range 8 {
			fill(t, store, 1000, 30, fmt.Sprint(round))
			flush(t, store)
		}
		quiet(t, store)
		if store.Metrics().Compactions == 0 {
			t.Error("nothing was compacted")
		}
		check(t, store.Compact(context.Background(), Range{})) // so that all tables count as one
		return store
	},
	"manual compaction of tables of another filter": func(t *testing.T) *DB {
		disk := fsys.NewMem()
		store := openStore(t, disk, func(o *Options) { o.Filter = bloom.None })
		fill(t, store, 1000, 30, "")
		flush(t, store)
		check(t, store.Close())
		store = openStore(t, disk, setBits)
		check(t, store.Compact(context.Background(), Range{}))
		return store
	},
}

// TestEachBuildHasTheFilterThatWasSet makes tables in every way there is: each has the filter that was set, within
// a twentieth of its bits for each distinct key, and tells how it was asked for (FLT-07, FLT-12).
func TestEachBuildHasTheFilterThatWasSet(t *testing.T) {
	for name, make := range filterBuilds {
		t.Run(name, func(t *testing.T) {
			store := make(t)
			keys := uint64(0)
			content(t, store) // opens all tables
			for info := range store.Tables() {
				keys += info.Keys
				if got := info.Filter.BitsPerKey(); math.Abs(got-builtBits) > builtBits/20. && info.Keys > 100 {
					t.Errorf("%s: %g bits a key", info.File, got)
				}
				if info.AskedBitsPerKey != builtBits || info.FilterFamily != "classic" || info.FilterPolicy != "classic 20" ||
					info.FilterProblem != nil {
					t.Errorf("%s: %q, %q, %g, %v",
						info.File, info.FilterPolicy, info.FilterFamily, info.AskedBitsPerKey, info.FilterProblem)
				}
			}
			if keys != 1000 {
				t.Errorf("the tables have %d keys", keys)
			}
			for i := range 1000 {
				if has, err := store.Has(fmt.Appendf(nil, "key%06d", i)); !has || err != nil {
					t.Fatalf("key %d: %v, %v", i, has, err)
				}
			}
			for _, err := range store.Verify(context.Background()) {
				check(t, err)
			}
		})
	}
}

// TestVersionsOfOneKeyCountOnce: however many versions snapshots keep of a key, and deletions too, a filter holds
// it once.
func TestVersionsOfOneKeyCountOnce(t *testing.T) {
	store := memStore(t, func(o *Options) {
		o.Filter = bloom.BitsPerKey(10)
		o.MemTableSize = 1 << 20
		o.NoCompaction = true
	})
	const keys, versions = 100, 10 // too few for planes
	for version := range versions {
		for i := range keys {
			if i%5 == 0 && version%2 == 1 {
				check(t, store.Delete(fmt.Appendf(nil, "%03d", i), NoSync))
			} else {
				check(t, store.Put(fmt.Appendf(nil, "%03d", i), nil, NoSync))
			}
		}
		defer store.Snapshot().Close()
	}
	flush(t, store)
	for _, compacted := range []bool{false, true} {
		if compacted {
			check(t, store.Compact(context.Background(), Range{}))
		}
		m, tables := store.Metrics(), tablesOf(store)
		if len(tables) != 1 || tables[0].Keys != keys || m.Filter.Keys != keys || tables[0].Entries != keys*versions {
			t.Fatalf("compacted %v: %d tables, the first of %d entries and %d keys",
				compacted, len(tables), tables[0].Entries, tables[0].Keys)
		}
		if bits := m.Filter.BitsPerKey(); bits < 10 || bits > 13 { // a small table is rounded up to whole lines
			t.Errorf("compacted %v: %g bits a key", compacted, bits)
		}
		for i := range keys {
			has, err := store.Has(fmt.Appendf(nil, "%03d", i))
			if err != nil || has != (i%5 != 0) {
				t.Errorf("key %d: %v, %v", i, has, err)
			}
		}
	}
}

// TestTablesOfFewKeys: any number of keys about the cuts of blocks makes a good table (FLT-03).
func TestTablesOfFewKeys(t *testing.T) {
	store := memStore(t, func(o *Options) { o.BlockSize, o.NoCompaction = 128, true })
	for n := range 40 {
		prefix := fmt.Sprintf("%02d.", n)
		for i := range n {
			put(t, store, fmt.Sprintf("%s%03d", prefix, i))
		}
		flush(t, store)
		if n == 0 {
			continue
		}
		info := tablesOf(store)[0]
		if info.Keys != uint64(n) || info.Filter.Keys != int64(n) || info.Filter.Bits == 0 {
			t.Errorf("%d keys: %+v", n, info)
		}
		if got := len(keysOf(t, store, Prefix([]byte(prefix)))); got != n {
			t.Errorf("%d keys: a scan gives %d", n, got)
		}
		for i := range n {
			wantValue(t, store, fmt.Sprintf("%s%03d", prefix, i), fmt.Sprintf("%s%03d", prefix, i))
			wantMiss(t, store, fmt.Sprintf("%s%03d.", prefix, i))
		}
	}
	for _, err := range store.Verify(context.Background()) {
		check(t, err)
	}
}
