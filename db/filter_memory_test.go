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

var filterMemoryFor = flag.Duration("filtermemory.for", 500*time.Millisecond,
	"how long TestFilterMemoryHolds reads and writes; 60s is thorough")

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
	for _, i := range rand.New(rand.NewPCG(seed, 0)).Perm(keys) {
		check(t, store.Put(filterKey(2*i), crowdValue, NoSync))
	}
	flush(t, store)
	quiet(t, store)
	loaded(t, store)
	started := tablesOf(store)
	if len(started) < tables {
		t.Errorf("%d tables, want %d: the test is too weak", len(started), tables)
	}
	before := store.Metrics()
	limit := before.FilterBytes / 10
	c := &crowd{t: t, store: store, keys: keys}
	c.ceiling.Store(before.FilterBytes)
	c.lower(limit)
	stop := c.start(seed)
	defer stop()
	for _, part := range []int64{1, 3, 10, 2, 5} {
		if to := limit / part; to > c.ceiling.Load() {
			c.raise(to)
		} else {
			c.lower(to)
		}
		time.Sleep(*filterMemoryFor / 5)
	}
	stop()
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
	d := m.Sub(before)
	t.Logf("%d tables at first, whose filters take %d KiB; a limit of %d KiB, a third, a tenth, a half, a fifth of it, for %v: exceeded in none "+
		"of %d looks; %d right answers, %d writes, %d flushes, %d compactions; %d loads, %d drops of filters",
		len(started), before.FilterBytes>>10, limit>>10, *filterMemoryFor, c.looks.Load(), c.answers.Load(), c.writes.Load(),
		d.Flushes, d.Compactions, d.FilterLoads, d.FilterDrops)
}

var crowdValue = make([]byte, 60)

// crowd are the users of a store with keys 0, 2, 4 and so on, and who watches over its filters' memory.
type crowd struct {
	t       *testing.T
	store   *DB
	keys    int
	ceiling atomic.Int64 // that memory must keep below now
	// What was done: looks at memory, answers checked, and writes.
	looks, answers, writes atomic.Int64
}

// lower sets a limit below the one in force, and lets it hold once what is above it has been dropped.
func (c *crowd) lower(to int64) {
	c.t.Helper()
	check(c.t, c.store.SetFilterMemory(to))
	eventually(c.t, "what is above the limit is dropped", func() bool { return c.store.Metrics().FilterBytes <= to })
	c.ceiling.Store(to)
}

func (c *crowd) raise(to int64) {
	c.t.Helper()
	c.ceiling.Store(to)
	check(c.t, c.store.SetFilterMemory(to))
}

// start lets them all loose, each until stop or its first error.
func (c *crowd) start(seed uint64) (stop func()) {
	var ended atomic.Bool
	var running sync.WaitGroup
	for stream, fn := range []func(rng *rand.Rand) error{c.watch, c.read, c.read, c.write, c.upkeep} {
		rng := rand.New(rand.NewPCG(seed, uint64(1+stream)))
		running.Go(func() {
			for !ended.Load() {
				if err := fn(rng); err != nil {
					c.t.Error(err)
					return
				}
			}
		})
	}
	return func() {
		ended.Store(true)
		running.Wait()
	}
}

func (c *crowd) watch(*rand.Rand) error {
	ledgerHolds(c.t, c.store)
	most := c.ceiling.Load()
	if m := c.store.Metrics(); m.FilterBytes > most && c.ceiling.Load() == most {
		return fmt.Errorf("%d bytes of filters, the limit is %d", m.FilterBytes, most)
	}
	c.looks.Add(1)
	time.Sleep(20 * time.Microsecond)
	return nil
}

func (c *crowd) read(rng *rand.Rand) error {
	i := rng.IntN(c.keys) / (1 + rng.IntN(20)) // low keys are read more
	if has, err := c.store.Has(filterKey(2 * i)); !has || err != nil {
		return fmt.Errorf("key %d: %v, %v", 2*i, has, err)
	}
	if has, err := c.store.Has(filterKey(2*i + 1)); has || err != nil {
		return fmt.Errorf("key %d: %v, %v", 2*i+1, has, err)
	}
	c.answers.Add(2)
	return nil
}

func (c *crowd) write(rng *rand.Rand) error {
	c.writes.Add(1)
	return c.store.Put(filterKey(2*rng.IntN(c.keys)), crowdValue, NoSync)
}

// upkeep flushes, compacts, or holds an iterator that keeps tables that go.
func (c *crowd) upkeep(rng *rand.Rand) error {
	time.Sleep(*filterMemoryFor / 20)
	switch rng.IntN(3) {
	case 0:
		return c.store.Flush(context.Background())
	case 1:
		from := 2 * rng.IntN(c.keys)
		return c.store.Compact(context.Background(), Range{Lower: filterKey(from), Upper: filterKey(from + c.keys/10)})
	}
	it := c.store.NewIter(Range{})
	defer it.Close()
	it.First()
	time.Sleep(*filterMemoryFor / 20)
	return it.Err()
}
