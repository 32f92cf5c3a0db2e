package db

import (
	"context"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"siftdb/bloom"
)

// adaptive is a quiet store with filters in memory, whose keeper's looks are made by looks.
func adaptive(t *testing.T, keys int, change ...func(o *Options)) *DB {
	t.Helper()
	store := memStore(t, append([]func(o *Options){planed, func(o *Options) { o.Filter = bloom.BitsPerKey(8) }}, change...)...)
	filterKeys(t, store, keys)
	check(t, store.Compact(context.Background(), Range{}))
	loaded(t, store)
	synctest.Wait()
	return store
}

// looks lets the keeper look so many times, each after so many look-ups of absent keys between from and to, hardly any
// of which comes twice.
func looks(t *testing.T, store *DB, rng *rand.Rand, n, probes, from, to int) {
	t.Helper()
	for range n {
		for range probes {
			k := append(filterKey(2*(from+rng.IntN(to-from))), byte(rng.Int()), byte(rng.Int()))
			if has, err := store.Has(k); has || err != nil {
				t.Fatal(has, err)
			}
		}
		time.Sleep(tick)
		synctest.Wait()
	}
}

// planesIn is how many planes the tables have in memory on average whose keys lie within from to below to.
func planesIn(store *DB, from, to int) float64 {
	planes, tables := 0.0, 0.0
	for info := range store.Tables() {
		if string(info.Smallest) >= string(filterKey(2*from)) && string(info.Largest) < string(filterKey(2*to)) {
			planes += float64(info.ResidentPlanes)
			tables++
		}
	}
	return planes / tables
}

// falsePasses is how many of so many look-ups of absent keys of from to below to a filter let through.
func falsePasses(t *testing.T, store *DB, rng *rand.Rand, probes, from, to int) int64 {
	t.Helper()
	before := store.Metrics()
	looks(t, store, rng, 1, probes, from, to)
	d := store.Metrics().Sub(before)
	return d.Filter.FalsePasses + d.UnfilteredProbes.NotResident
}

// TestPlanesFollowTraffic asks for absent keys of one part of the store, and then of another: that part's filters get
// planes at the cost of the rest, within the same memory, and wasted reads become fewer.
func TestPlanesFollowTraffic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const keys, hot, probes = 60_000, 8_000, 20_000
		store := adaptive(t, keys)
		rng := rand.New(rand.NewPCG(1, 1))
		even := falsePasses(t, store, rng, probes, 0, hot)
		for _, from := range []int{0, 30_000} {
			looks(t, store, rng, 3*ticksToAge, 500, from, from+hot) // and what was before is forgotten
			ledgerIsExact(t, store)
			in, out := planesIn(store, from, from+hot), planesIn(store, 15_000, 25_000)
			if in < out+4 {
				t.Errorf("%.1f planes where keys are asked for, %.1f elsewhere%s", in, out, residents(store))
			}
			want, _ := budget(store, 8)
			if got := float64(store.Metrics().FilterBytes); got > want || got < 0.95*want {
				t.Errorf("%.0f bytes of filters, want %.0f", got, want)
			}
			if now := falsePasses(t, store, rng, probes, from, from+hot); now > even/8 {
				t.Errorf("%d false passes, at even shares it was %d", now, even)
			}
		}
	})
}

// TestTableThatNobodyMissesGivesItsMemoryBack: where memory is short all of it goes to the tables that are asked for what
// they do not hold. Keys that are there cost their read whatever the filter says, and do not count.
func TestTableThatNobodyMissesGivesItsMemoryBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const keys, hot = 60_000, 8_000
		store := adaptive(t, keys)
		check(t, store.SetFilterMemory(keys/10)) // 0.8 bits a key, or 6 for one that is asked for
		rng := rand.New(rand.NewPCG(1, 1))
		for range 5 {
			for range 10_000 {
				if has, err := store.Has(filterKey(2 * (hot + rng.IntN(keys-hot)))); !has || err != nil {
					t.Fatal(has, err)
				}
			}
			looks(t, store, rng, 1, 5_000, 0, hot)
		}
		if in, out := planesIn(store, 0, hot), planesIn(store, hot, keys); in < 4 || out > 0.2 {
			t.Errorf("%.1f planes where keys are missed, %.1f where they are found%s", in, out, residents(store))
		}
	})
}

// TestTrafficIsInherited has all tables rewritten: the new ones are known by what the old ones were asked.
func TestTrafficIsInherited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const keys, hot = 60_000, 8_000
		store := adaptive(t, keys, func(o *Options) { o.MemTableSize = 16 << 20 }) // so that one flush ages it
		looks(t, store, rand.New(rand.NewPCG(1, 1)), 3, 20_000, 0, hot)
		sum := recentSum(store)
		old := make(map[string]bool)
		for info := range store.Tables() {
			old[info.File] = true
		}
		for round := range 2 {
			filterKeys(t, store, keys)
			check(t, store.Compact(context.Background(), Range{}))
			synctest.Wait()
			for info := range store.Tables() {
				if old[info.File] {
					t.Fatalf("%s is still there", info.File)
				}
			}
			if in, out := planesIn(store, 0, hot), planesIn(store, 15_000, keys); in < out+4 {
				t.Errorf("round %d: %.1f planes where keys were asked for, %.1f elsewhere%s", round, in, out, residents(store))
			}
			if now := recentSum(store); now > sum {
				t.Errorf("round %d: %.0f misses are remembered, there were %.0f", round, now, sum)
			}
		}
	})
}

// recentSum is all that the keeper remembers of misses.
func recentSum(store *DB) (sum float64) {
	k := store.keeper
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, r := range k.traffic {
		sum += r.recent
	}
	return sum
}

// TestSteadyTrafficMovesNothing: while traffic stays as it is, planes stay where they are, whatever chance makes of the
// counts; and though tables are flushed and compacted, hardly more does than these need.
func TestSteadyTrafficMovesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const keys = 100_000
		store := adaptive(t, keys, func(o *Options) { o.Filter = bloom.BitsPerKey(8.6) }) // half of the tables have a plane more
		rng := rand.New(rand.NewPCG(1, 1))
		moved := func(ticks, probes int, write bool) int64 {
			before := store.Metrics()
			for range ticks {
				if write {
					filterKeys(t, store, 1000)
					flush(t, store)
				}
				looks(t, store, rng, 1, probes, 0, keys)
			}
			return store.Metrics().Sub(before).FilterLoads
		}
		looks(t, store, rng, 1, 20, 0, keys) // of a few look-ups, most tables get none
		if n := moved(1, 5000, false); n > 5 {
			t.Errorf("%d loads after the first look-ups", n)
		}
		if n := moved(200, 100, false); n > 5 {
			t.Errorf("%d loads in 200 ticks with few look-ups", n)
		}
		if n := moved(100, 5000, false); n > 5 {
			t.Errorf("%d loads in 100 ticks", n)
		}
		// A young table has up to 11 bits a key more than the average, as much as six planes of other tables; they get that
		// back when it is compacted.
		if n := moved(20, 5000, true); n > 20*6 {
			t.Errorf("%d loads in 20 ticks with a flush each", n)
		}
	})
}

// TestFlushedTableIsExpectedToBeAsked: where memory is short a table that has just been flushed keeps its filter, for it
// will be asked as the tables before it were.
func TestFlushedTableIsExpectedToBeAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const keys = 60_000
		store := adaptive(t, keys, func(o *Options) { o.NoCompaction = true })
		check(t, store.SetFilterMemory(keys/4)) // 2 bits a key
		synctest.Wait()
		rng := rand.New(rand.NewPCG(1, 1))
		looks(t, store, rng, 5, 5000, 0, keys)
		for range 5 {
			for range 200 {
				k := filterKey(2 * rng.IntN(keys))
				check(t, store.Put(k, k[4:], NoSync))
			}
			flush(t, store)
			synctest.Wait()
			if info := tablesOf(store)[0]; info.Level != 0 || info.ResidentPlanes != 1 {
				t.Errorf("the new table at level %d is without its filter%s", info.Level, residents(store))
			}
			looks(t, store, rng, 1, 5000, 0, keys)
		}
	})
}
