package db

import (
	"context"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"siftdb/bloom"
	"siftdb/internal/fsys"
)

// askedDuring reads keys that are there and keys that are not, and overwrites some, until stop is called; each answer is
// checked. Nothing is flushed by it.
func askedDuring(t *testing.T, store *DB, keys int) (stop func()) {
	var ended atomic.Bool
	var running sync.WaitGroup
	for w := range 2 {
		rng := rand.New(rand.NewPCG(uint64(w), 1))
		running.Go(func() {
			for !ended.Load() {
				i := 2 * rng.IntN(keys)
				k, absent := filterKey(i), filterKey(i+1)
				if v, err := store.Get(k); err != nil || string(v) != string(k[4:]) {
					t.Errorf("key %d is %x, %v", i, v, err)
					return
				}
				if _, err := store.Get(absent); err != ErrNotFound {
					t.Errorf("key %d, which is not there: %v", i+1, err)
					return
				}
				if i%1000 == 0 {
					time.Sleep(time.Millisecond) // lets others have the processor
					if err := store.Put(k, k[4:], NoSync); err != nil {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	return func() {
		ended.Store(true)
		running.Wait()
	}
}

// budget is what so many bits per key come to in bytes, and the most that the tables' files have to give.
func budget(store *DB, bits float64) (want, most float64) {
	for info := range store.Tables() {
		want += bits * float64(info.Keys) / 8
		most += float64(info.FilterBits) / 8
	}
	return want, most
}

// largestPlane is how much memory is left where the next plane does not fit, in bytes.
func largestPlane(store *DB) (most float64) {
	for info := range store.Tables() {
		most = max(most, float64(info.FilterBits)/8/float64(max(1, info.FilterPlanes)))
	}
	return most
}

// TestBitsPerKeyOfALiveStore sets bits per key up and down while the store is read and written: memory follows, from
// files that were written long ago, and by reading nothing of them but filters.
func TestBitsPerKeyOfALiveStore(t *testing.T) {
	plans := []bloom.Plan{bloom.Adaptive, bloom.ByLevel, bloom.Uniform}
	if testing.Short() {
		plans = plans[:1]
	}
	for _, plan := range plans {
		t.Run(plan.String(), func(t *testing.T) { bitsOfALiveStore(t, plan) })
	}
}

func bitsOfALiveStore(t *testing.T, plan bloom.Plan) {
	const keys = 40_000
	log := &readLog{FS: fsys.NewMem()}
	store := openStore(t, log, planed, func(o *Options) { o.FilterPlan = plan })
	filterKeys(t, store, keys)
	check(t, store.Compact(context.Background(), Range{}))
	check(t, store.SetBitsPerKey(10))
	for range 3 { // into the block cache, which admits what is read again
		content(t, store)
		for i := range keys {
			store.Get(filterKey(2*i), IgnoreFilters)
		}
	}
	loaded(t, store)
	filters := make(map[string]span)
	for info := range store.Tables() {
		filters[info.File] = filterSpan(t, log.FS, info.File)
	}
	log.since()
	before := store.Metrics()
	stop := askedDuring(t, store, keys)
	defer stop()
	for _, bits := range []float64{6, 12, 0.5, 16, 10} {
		check(t, store.SetBitsPerKey(bits))
		loaded(t, store)
		ledgerIsExact(t, store)
		want, most := budget(store, bits)
		got := float64(store.Metrics().FilterBytes)
		if got > want || got < min(0.95*min(want, most), min(want, most)-largestPlane(store)) {
			t.Errorf("%g bits a key are %.0f bytes, of which the files have %.0f; %.0f are in memory%s",
				bits, want, most, got, residents(store))
		}
		ratesFollowPlanes(t, store, keys)
	}
	stop()
	reads, made := log.since()
	if len(made) > 0 {
		t.Errorf("tables were made: %q", made)
	}
	for _, read := range reads {
		if !read.within(filters[read.file]) {
			t.Errorf("%v was read, the filter is %v", read, filters[read.file])
		}
	}
	d := store.Metrics().Sub(before)
	if int64(len(reads)) != d.FilterLoads || d.TableReads != d.FilterLoads || d.FilterDrops == 0 {
		t.Errorf("%d reads; the store says %d, %d loads, %d drops", len(reads), d.TableReads, d.FilterLoads, d.FilterDrops)
	}
}

// ratesFollowPlanes measures each table's rate of false positives: with j planes it is 2^-j.
func ratesFollowPlanes(t *testing.T, store *DB, keys int) {
	t.Helper()
	v := store.acquire(iteratorUser)
	defer store.release(v, iteratorUser)
	rng := rand.New(rand.NewPCG(3, 4))
	for _, tables := range v.tables {
		for _, table := range tables {
			filter := table.resident.Load()
			if filter == nil || table.meta.FilterPlanes == 1 {
				continue
			}
			const probes = 2000
			expected := probes * math.Ldexp(1, -filter.steps())
			passed := 0.0
			for range probes {
				if filter.MayContain(bloom.Sum(filterKey(2*rng.IntN(keys) + 1))) {
					passed++
				}
			}
			if math.Abs(passed-expected) > 6*math.Sqrt(expected)+3 {
				t.Errorf("%s: %d planes let %.0f of %d absent keys pass, expected are %.1f",
					table.fileName(), filter.steps(), passed, probes, expected)
			}
		}
	}
}

// TestNoBitsPerKeyDropAllFilters: 0 bits are no filters, neither in memory nor in new tables. Bits set later bring those
// back that the files have, and new tables get the family of the options again.
func TestNoBitsPerKeyDropAllFilters(t *testing.T) {
	for _, policy := range []bloom.Policy{bloom.BitsPerKey(10), bloom.Classic(10), bloom.Blocked(10), bloom.Ribbon(10)} {
		t.Run(policy.String(), func(t *testing.T) {
			store := memStore(t, planed, func(o *Options) { o.Filter = policy; o.NoCompaction = true })
			filterKeys(t, store, 5000)
			flush(t, store)
			loaded(t, store)
			full, family := store.Metrics().FilterBytes, tablesOf(store)[0].FilterFamily
			check(t, store.SetBitsPerKey(0))
			loaded(t, store)
			if m := store.Metrics(); m.FilterBytes != 0 || m.Filter.Bits != 0 {
				t.Errorf("%d bytes of filters are in memory", m.FilterBytes)
			}
			filterKeys(t, store, 5000)
			flush(t, store)
			if info := tablesOf(store)[0]; info.FilterFamily != "" || info.FilterBits != 0 || info.FilterPolicy != "none" {
				t.Errorf("a new table has a filter: %+v", info)
			}
			for i := range 5000 {
				wantValue(t, store, string(filterKey(2*i)), string(filterKey(2 * i)[4:]))
				wantMiss(t, store, string(filterKey(2*i+1)))
			}
			check(t, store.SetBitsPerKey(10))
			loaded(t, store)
			if got := store.Metrics().FilterBytes; float64(got) < 0.95*float64(full) {
				t.Errorf("%d bytes of filters are back, there were %d", got, full)
			}
			filterKeys(t, store, 5000)
			flush(t, store)
			if info := tablesOf(store)[0]; info.FilterFamily != family {
				t.Errorf("a new table's filter is %q, it was %q", info.FilterFamily, family)
			}
		})
	}
}

// TestBitsPerKeyOutOfBounds: what is no number of bits is refused by its name and changes nothing.
func TestBitsPerKeyOutOfBounds(t *testing.T) {
	store := memStore(t, planed)
	filterKeys(t, store, 20_000)
	flush(t, store)
	quiet(t, store)
	loaded(t, store)
	before, planes := store.Metrics(), residents(store)
	for _, bits := range []float64{math.NaN(), -1, math.Inf(1), math.Inf(-1), 64.1, 1000} {
		err := store.SetBitsPerKey(bits)
		wantOptionError(t, err, "bits per key")
	}
	wantOptionError(t, store.SetFilterMemory(-1), "FilterMemory")
	loaded(t, store)
	if d := store.Metrics().Sub(before); d.FilterLoads != 0 || d.FilterDrops != 0 || d.FilterLimit != 0 ||
		residents(store) != planes {
		t.Errorf("%d loads, %d drops, limit %d; from %s\nto %s",
			d.FilterLoads, d.FilterDrops, d.FilterLimit, planes, residents(store))
	}
	filterKeys(t, store, 2000)
	flush(t, store)
	if info := tablesOf(store)[0]; info.AskedBitsPerKey != 10 {
		t.Errorf("a new table is made for %g bits", info.AskedBitsPerKey)
	}
	check(t, store.Close())
	wantErr(t, "SetBitsPerKey", store.SetBitsPerKey(5), ErrClosed)
	wantErr(t, "SetFilterMemory", store.SetFilterMemory(5), ErrClosed)
	wantErr(t, "LoadFilters", store.LoadFilters(context.Background()), ErrClosed)
}
