package db

import (
	"context"
	"testing"

	"siftdb/bloom"
	"siftdb/internal/fsys"
)

// TestReopenUnderOtherFilters makes tables under many policies, one after the other in one store, and opens it under
// each of them and under each plan: all keys are there, the filters of old are asked, and filters take the memory that
// they were made for, or that is set now (FLT-08).
func TestReopenUnderOtherFilters(t *testing.T) {
	policies := []bloom.Policy{
		bloom.BitsPerKey(4), bloom.BitsPerKey(10), bloom.BitsPerKey(16), bloom.BitsPerKey(20), bloom.None,
		bloom.Classic(6), bloom.Blocked(12), bloom.Ribbon(7), bloom.Fuse(10), bloom.Cuckoo(12), bloom.ForRate(0.02),
	}
	const keys = 2200
	disk := fsys.NewMem()
	for round, policy := range policies {
		store := openStore(t, disk, planed, func(o *Options) { o.Filter, o.TableSize = policy, 1<<20 })
		from := round * keys
		for i := from; i < from+keys; i++ {
			k := filterKey(2 * i)
			check(t, store.Put(k, k[4:], NoSync))
		}
		check(t, store.Compact(context.Background(), Range{Lower: filterKey(2 * from)})) // not what is there already
		check(t, store.Close())
	}
	plans := []bloom.Plan{bloom.Adaptive, bloom.ByLevel, bloom.Uniform}
	if testing.Short() {
		plans = plans[:1]
	}
	openings, others := 0, 0
	for _, policy := range policies {
		for _, plan := range plans {
			store := openStore(t, disk.Clone(), planed, func(o *Options) {
				o.Filter, o.FilterPlan, o.NoCompaction = policy, plan, true
			})
			loaded(t, store)
			ledgerIsExact(t, store)
			families := make(map[string]bool)
			for info := range store.Tables() {
				families[info.FilterFamily] = true
				if info.FilterPolicy != policy.String() {
					others++
				}
				if info.FilterBits > 0 && info.ResidentPlanes == 0 {
					t.Errorf("%v, %v: the %s filter of %d keys is not in memory%s",
						policy, plan, info.FilterFamily, info.Keys, residents(store))
				}
			}
			for _, family := range []string{"", "classic", "blocked", "ribbon", "fuse", "cuckoo"} {
				if !families[family] {
					t.Fatalf("no %q filter among %v: the test is too weak", family, families)
				}
			}
			for i := range len(policies) * keys {
				if v, err := store.Get(filterKey(2 * i)); err != nil || string(v) != string(filterKey(2 * i)[4:]) {
					t.Fatalf("%v, %v: key %d is %x, %v", policy, plan, 2*i, v, err)
				}
				if _, err := store.Get(filterKey(2*i + 1)); err != ErrNotFound {
					t.Fatalf("%v, %v: key %d: %v", policy, plan, 2*i+1, err)
				}
			}
			// On a slow machine the adaptive plan takes memory from tables that were not asked yet: not an error.
			m := store.Metrics()
			if u := m.UnfilteredProbes; u.Unusable+u.Ignored != 0 || m.UnusableFilters != 0 || m.Filter.Suspect() {
				t.Errorf("%v, %v: %+v unfiltered, %d unusable, rate %g, by theory %g",
					policy, plan, u, m.UnusableFilters, m.Filter.Rate(), m.Filter.Expected())
			}
			check(t, store.Close())
			openings++
		}
	}
	t.Logf("%d keys in tables of %d policies, opened %d times, under each policy and plan: %d right answers; "+
		"%d tables met whose filter is of another policy",
		len(policies)*keys, len(policies), openings, 2*len(policies)*keys*openings, others)
}
