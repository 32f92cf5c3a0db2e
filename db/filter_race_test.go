package db

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"siftdb/bloom"
	"siftdb/internal/fsys"
)

// TestFirstReadsAtOnce has many goroutines make the first reads of the same tables, whose filters are loaded meanwhile, in
// many rounds (FLT-15).
func TestFirstReadsAtOnce(t *testing.T) {
	rounds := 200
	if testing.Short() {
		rounds = 20
	}
	const tables, readers = 10, 64
	disk, _ := manyTables(t, tables)
	for range rounds {
		store := openStore(t, disk, func(o *Options) { o.NoCompaction, o.ReadOnly = true, true })
		start := make(chan struct{})
		var reading sync.WaitGroup
		for r := range readers {
			reading.Go(func() {
				<-start
				for i := range tables {
					i = 100*i + r
					if has, err := store.Has(filterKey(2 * i)); !has || err != nil {
						t.Errorf("key %d: %v, %v", 2*i, has, err)
					}
					if has, err := store.Has(filterKey(2*i + 1)); has || err != nil {
						t.Errorf("key %d: %v, %v", 2*i+1, has, err)
					}
				}
			})
		}
		close(start)
		reading.Wait()
		check(t, store.Close())
		if t.Failed() {
			return
		}
	}
}

// TestFiltersAtOnce changes everything about filters that can be changed while the store is read, written, flushed,
// compacted, looked at and, at a random time, closed.
func TestFiltersAtOnce(t *testing.T) {
	rounds := 8
	if testing.Short() {
		rounds = 2
	}
	base := goleak.IgnoreCurrent()
	for range rounds {
		seed := rand.Uint64()
		filtersAtOnce(t, seed)
		if err := goleak.Find(base); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func filtersAtOnce(t *testing.T, seed uint64) {
	const keys = 12_000
	disk := fsys.NewMem()
	plan := bloom.Plan(seed % 3)
	store := openStore(t, disk, planed, func(o *Options) { o.FilterPlan, o.MemTableSize, o.OpenTables = plan, 64<<10, 3 })
	filterKeys(t, store, keys)
	ctx := context.Background()
	policies := []bloom.Policy{bloom.BitsPerKey(10), bloom.Ribbon(8), bloom.Classic(6), bloom.None}
	var running sync.WaitGroup
	for stream, fn := range []func(rng *rand.Rand) error{
		func(rng *rand.Rand) error { return store.SetBitsPerKey(float64(rng.IntN(17))) },
		func(rng *rand.Rand) error { return store.SetFilterMemory(int64(rng.IntN(2 * keys))) },
		func(rng *rand.Rand) error { return store.LoadFilters(ctx) },
		func(rng *rand.Rand) error { return store.RebuildFilters(ctx, policies[rng.IntN(len(policies))]) },
		func(rng *rand.Rand) error {
			from := rng.IntN(2 * keys)
			return store.Compact(ctx, Range{Lower: filterKey(from), Upper: filterKey(from + keys/4)})
		},
		func(rng *rand.Rand) error {
			k := filterKey(2 * rng.IntN(keys))
			return store.Put(k, k[4:], NoSync)
		},
		func(rng *rand.Rand) error {
			i := rng.IntN(2 * keys)
			has, err := store.Has(filterKey(i))
			if err == nil && has != (i%2 == 0) {
				t.Errorf("key %d: %v", i, has)
			}
			return err
		},
		func(rng *rand.Rand) error {
			ledgerHolds(t, store)
			countersAddUp(t, store.Metrics())
			tablesOf(store)
			store.keeper.lookAtTraffic()
			it := store.NewIter(Range{Lower: filterKey(rng.IntN(2 * keys))})
			it.First()
			return errors.Join(it.Close(), store.Sync())
		},
	} {
		rng := rand.New(rand.NewPCG(seed, uint64(stream)))
		running.Go(func() {
			for {
				err := fn(rng)
				if errors.Is(err, ErrClosed) {
					return
				}
				if err != nil {
					t.Error(err)
					return
				}
				time.Sleep(time.Duration(rng.IntN(200)) * time.Microsecond)
			}
		})
	}
	time.Sleep(time.Duration(rand.New(rand.NewPCG(seed, 99)).IntN(150)) * time.Millisecond)
	within(t, "Close", func() {
		if err := store.Close(); err != nil {
			if _, ok := errors.AsType[*LeakError](err); !ok {
				t.Errorf("Close: %v", err)
			}
		}
		running.Wait()
	})
	ledgerHolds(t, store)
	if bytes := store.Metrics().FilterBytes; bytes != 0 {
		t.Errorf("after Close %d bytes of filters", bytes)
	}
	store = openStore(t, disk, planed)
	loaded(t, store)
	for i := range 2 * keys {
		if has, err := store.Has(filterKey(i)); err != nil || has != (i%2 == 0) {
			t.Fatalf("reopened, key %d: %v, %v", i, has, err)
		}
	}
	check(t, lastOf(store.Verify(ctx)))
	check(t, store.Close())
}
