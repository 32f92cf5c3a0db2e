package db

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"siftdb/bloom"
)

var filterMemoryFor = flag.Duration("filtermemory.for", 500*time.Millisecond, "how long TestFilterMemoryHolds reads and writes; 60s is thorough")

// TestFilterMemoryHolds gives some hundred tables a tenth of the memory that their filters want and lets readers, writers,
// flushes and compactions loose on them: what filters take is never above the limit, also when that falls and rises on
// the way; answers are right; filters that were dropped are loaded again (FSZ-08).
func TestFilterMemoryHolds(t *testing.T) {
	families := []bloom.Policy{bloom.BitsPerKey(10)}
	if *filterMemoryFor > time.Second {
		families = append(families, bloom.Classic(10))
	}
	for _, family := range families {
		t.Run(family.String(), func(t *testing.T) {
			seed := rand.Uint64()
			filterMemoryHolds(t, seed, family)
			if t.Failed() {
				t.Logf("seed %d", seed)
			}
		})
	}
}

func filterMemoryHolds(t *testing.T, seed uint64, family bloom.Policy) {
	tables, keys := 500, 120_000
	if testing.Short() {
		tables, keys = 80, 25_000
	}
	store := memStore(t, func(o *Options) {
		o.MemTableSize = 256 << 10
		o.Filter, o.Compression, o.CacheSize, o.OpenTables = family, NoCompression, 1<<20, 50
	})
	value := make([]byte, 60)
	for _, i := range rand.New(rand.NewPCG(seed, 0)).Perm(keys) {
		check(t, store.Put(filterKey(2*i), value, NoSync))
	}
	flush(t, store)
	quiet(t, store)
	loaded(t, store)
	if n := len(tablesOf(store)); n < tables {
		t.Errorf("%d tables, want %d: the test is too weak", n, tables)
	}
	limit := store.Metrics().FilterBytes / 10
	var ceiling atomic.Int64
	ceiling.Store(1 << 60)
	lower := func(to int64) {
		check(t, store.SetFilterMemory(to))
		eventually(t, "what is above the limit is dropped", func() bool { return store.Metrics().FilterBytes <= to })
		ceiling.Store(to)
	}
	lower(limit)
	before := store.Metrics()

	var ended atomic.Bool
	var running sync.WaitGroup
	run := func(stream uint64, fn func(rng *rand.Rand) error) {
		rng := rand.New(rand.NewPCG(seed, stream))
		running.Go(func() {
			for !ended.Load() {
				if err := fn(rng); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	run(1, func(*rand.Rand) error {
		ledgerHolds(t, store)
		most := ceiling.Load()
		if m := store.Metrics(); m.FilterBytes > most && ceiling.Load() == most {
			return fmt.Errorf("%d bytes of filters, the limit is %d", m.FilterBytes, most)
		}
		time.Sleep(20 * time.Microsecond)
		return nil
	})
	for stream := range uint64(2) {
		run(2+stream, func(rng *rand.Rand) error {
			hot := rng.IntN(keys) / (1 + rng.IntN(20)) // low keys are read more
			if has, err := store.Has(filterKey(2 * hot)); !has || err != nil {
				return fmt.Errorf("key %d: %v, %v", 2*hot, has, err)
			}
			if has, err := store.Has(filterKey(2*hot + 1)); has || err != nil {
				return fmt.Errorf("key %d: %v, %v", 2*hot+1, has, err)
			}
			return nil
		})
	}
	run(4, func(rng *rand.Rand) error { return store.Put(filterKey(2*rng.IntN(keys)), value, NoSync) })
	run(5, func(rng *rand.Rand) error {
		time.Sleep(*filterMemoryFor / 20)
		switch rng.IntN(3) {
		case 0:
			return store.Flush(context.Background())
		case 1:
			from := 2 * rng.IntN(keys)
			return store.Compact(context.Background(), Range{Lower: filterKey(from), Upper: filterKey(from + keys/10)})
		}
		it := store.NewIter(Range{}) // keeps tables that go
		defer it.Close()
		it.First()
		time.Sleep(*filterMemoryFor / 20)
		return it.Err()
	})
	defer func() { ended.Store(true); running.Wait() }()
	for _, part := range []int64{1, 3, 10, 2, 5} {
		to := limit / part
		if to > ceiling.Load() {
			ceiling.Store(to)
			check(t, store.SetFilterMemory(to))
		} else {
			lower(to)
		}
		time.Sleep(*filterMemoryFor / 5)
	}
	ended.Store(true)
	running.Wait()
	quiet(t, store)
	ledgerIsExact(t, store)
	m := store.Metrics()
	if d := m.Sub(before); d.FilterLoads == 0 || d.FilterDrops == 0 || m.FilterLimit != limit/5 {
		t.Errorf("%d loads, %d drops, a limit of %d", d.FilterLoads, d.FilterDrops, m.FilterLimit)
	}
	if float64(m.FilterBytes) < float64(m.FilterLimit)-largestPlane(store) {
		t.Errorf("%d bytes of filters of %d allowed", m.FilterBytes, m.FilterLimit)
	}
	countersAddUp(t, m)
}
