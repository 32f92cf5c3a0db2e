package db

import (
	"fmt"
	"testing"
	"testing/synctest"

	"siftdb/bloom"
)

// TestYoungTablesGetWhatTheyAreWorth: a flush of few keys in a large store gets twice the bits that are asked for, or nearly;
// one of as many keys as all the others hardly more than those; and so does one beside filters that have nothing to give.
func TestYoungTablesGetWhatTheyAreWorth(t *testing.T) {
	asked := func(k *keeper) { k.policy, k.bits = bloom.BitsPerKey(10), 10 }
	for _, plan := range []bloom.Plan{bloom.ByLevel, bloom.Adaptive} {
		k, v := drawn(plan, 10, 4, 10_000, 16, 1, 10, 100)
		asked(k)
		before := 20.0
		for _, c := range []struct {
			keys        int
			least, most float64
		}{{10_000, 20, 20}, {100_000, 16, 19}, {1_110_000, 11, 13}, {30_000_000, 10, 10}} {
			bits := k.youngBits(v, c.keys)
			if bits < c.least || bits > c.most || bits > before {
				t.Errorf("%v: %d keys get %g bits each, want %g to %g", plan, c.keys, bits, c.least, c.most)
			}
			before = bits
		}
		k.limit = 1_110_000 * 4 / 8
		if bits := k.youngBits(v, 100_000); bits < 10 || bits > 13 {
			t.Errorf("%v: %g bits a key where all have 4 on average", plan, bits)
		}
		k, v = drawn(plan, 10, 0, 10_000, 1, 4)
		asked(k)
		for _, t := range v.tables[0] {
			t.meta.FilterBits = 10 * t.meta.Keys
		}
		if bits := k.youngBits(v, 1000); bits != 10 {
			t.Errorf("%v: %g bits a key among filters that cannot be divided", plan, bits)
		}
		k, v = drawn(plan, 10, 0, 10_000, 16)
		asked(k)
		if bits := k.youngBits(v, 1000); bits != 10 {
			t.Errorf("%v: %g bits a key in an empty store", plan, bits)
		}
	}
	k, v := drawn(bloom.Uniform, 10, 4, 10_000, 16, 1, 10, 100)
	if asked(k); k.youngBits(v, 1000) != 0 {
		t.Error("the same bits for all keys are not the same for all")
	}
}

// TestYoungTablesStayWithinTheAverage: whatever young tables get beyond what is asked comes from others, at every step
// in a store's life; and all tables have a filter.
func TestYoungTablesStayWithinTheAverage(t *testing.T) {
	for _, plan := range []bloom.Plan{bloom.Uniform, bloom.ByLevel, bloom.Adaptive} {
		t.Run(plan.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { growsWithinTheAverage(t, plan) })
		})
	}
}

func growsWithinTheAverage(t *testing.T, plan bloom.Plan) {
	const asked, flushes, keys = 8, 30, 1000
	store := memStore(t, planed, func(o *Options) { o.Filter, o.FilterPlan = bloom.BitsPerKey(asked), plan })
	most := 0.0
	for round := range flushes {
		for i := range keys {
			check(t, store.Put(fmt.Appendf(nil, "%03d key %d", i*7919%1000, round*keys+i), nil, NoSync))
		}
		flush(t, store)
		quiet(t, store)
		loaded(t, store)
		synctest.Wait()
		tables, m := tablesOf(store), store.Metrics()
		if limit := asked*m.Filter.Keys + mostRounding*int64(len(tables)); m.Filter.Bits > limit {
			t.Errorf("%d flushes: %.3f bits a key in memory%s", round+1, m.Filter.BitsPerKey(), residents(store))
		}
		for _, info := range tables {
			bits := info.Filter.BitsPerKey()
			if info.ResidentPlanes == 0 || info.Level == 0 && bits < asked {
				t.Errorf("%d flushes: a table at level %d with %g bits a key in memory%s", round+1, info.Level, bits, residents(store))
			}
			if info.Level == 0 {
				most = max(most, bits)
			}
		}
	}
	if least, limit := 12.0, 20.6; plan != bloom.Uniform && (most < least || most > limit) {
		t.Errorf("young tables have up to %g bits a key, want %g to %g", most, least, limit)
	} else if plan == bloom.Uniform && most > asked+0.6 {
		t.Errorf("young tables have up to %g bits a key of %d", most, asked)
	}
}
