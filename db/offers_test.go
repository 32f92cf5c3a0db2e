package db

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"

	"siftdb/bloom"
	"siftdb/internal/fsys"
)

// TestTablesComeWithTheirFilters reads beside flushes and compactions: once the filters are in memory no read meets a
// table without, for what builds a table hands its filter over with it.
func TestTablesComeWithTheirFilters(t *testing.T) {
	plans := []bloom.Plan{bloom.Adaptive, bloom.ByLevel, bloom.Uniform}
	if testing.Short() {
		plans = plans[:1]
	}
	for _, plan := range plans {
		t.Run(plan.String(), func(t *testing.T) {
			store := memStore(t, planed, func(o *Options) { o.FilterPlan, o.MemTableSize = plan, 64<<10 })
			const keys = 30_000
			filterKeys(t, store, keys)
			flush(t, store)
			quiet(t, store)
			loaded(t, store)
			before := store.Metrics()
			stop := askedDuring(t, store, keys)
			defer stop()
			rng := rand.New(rand.NewPCG(1, 2))
			for range keys {
				k := filterKey(2 * rng.IntN(keys))
				check(t, store.Put(k, k[4:], NoSync))
			}
			flush(t, store)
			check(t, store.Compact(context.Background(), Range{}))
			stop()
			d := store.Metrics().Sub(before)
			if d.Flushes < 5 || d.Compactions < 2 || d.Filter.Checks < 1000 {
				t.Errorf("%d flushes, %d compactions, %d checks: the test is too weak", d.Flushes, d.Compactions, d.Filter.Checks)
			}
			// A read that holds the view of before a compaction may meet a table that has just lost its filter by it.
			if u := d.UnfilteredProbes; u.Total() != u.NotResident || u.NotResident > d.Filter.Checks/1000 {
				t.Errorf("%+v of %d probes went without a filter", d.UnfilteredProbes, d.Filter.Checks)
			}
			quiet(t, store)
			ledgerIsExact(t, store)
		})
	}
}

// TestOffersAreWithdrawn: tables that were built and do not come into the store leave nothing of their filters in memory,
// whether building them failed half way, the manifest could not be written, or a caller gave up.
func TestOffersAreWithdrawn(t *testing.T) {
	for name, on := range map[string]struct {
		files string
		from  int64 // the first operation that fails
	}{"tables": {".sst", 2}, "manifest": {"MANIFEST", 1}} {
		for _, ops := range [][]fsys.Op{{fsys.OpWriteAt, fsys.OpCreate}, {fsys.OpSync}} {
			t.Run(fmt.Sprint(name, ops), func(t *testing.T) {
				fault := fsys.NewFault(fsys.NewMem())
				store := openStore(t, fault, planed, func(o *Options) { o.NoCompaction = true })
				filterKeys(t, store, 10_000)
				flush(t, store)
				loaded(t, store)
				filterKeys(t, store, 9_000)
				flush(t, store)
				loaded(t, store)
				before := store.Metrics().FilterBytes
				var calls atomic.Int64
				fault.SetHook(func(op fsys.Op, file string) error {
					for _, failing := range ops {
						if op == failing && strings.Contains(file, on.files) && calls.Add(1) >= on.from {
							return syscall.EIO
						}
					}
					return nil
				})
				for range 3 {
					if err := store.Compact(context.Background(), Range{}); err == nil {
						t.Error("nothing failed")
					}
					ledgerHolds(t, store)
				}
				if store.keeper.offers() != 0 || store.Metrics().FilterBytes > before {
					t.Errorf("%d offers; %d bytes in memory, there were %d", store.keeper.offers(), store.Metrics().FilterBytes, before)
				}
				ledgerIsExact(t, store)
				fault.SetHook(nil)
				store.Compact(context.Background(), Range{})
				ledgerHolds(t, store)
			})
		}
	}
}

// offers is how many filters are offered of tables that are not in the store yet.
func (k *keeper) offers() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.booked.offers)
}

// TestNothingIsLeftInTheLedger: when all tables have been replaced, or all is gone, or the store is closed, memory is that
// of the tables there.
func TestNothingIsLeftInTheLedger(t *testing.T) {
	store := memStore(t, planed)
	for round := range 3 {
		filterKeys(t, store, 20_000+round)
		it := store.NewIter(Range{}) // keeps tables that go
		check(t, store.Compact(context.Background(), Range{}))
		loaded(t, store)
		ledgerIsExact(t, store)
		check(t, it.Close())
	}
	if want, _ := budget(store, 10); float64(store.Metrics().FilterBytes) > want {
		t.Errorf("%d bytes of filters, want %.0f", store.Metrics().FilterBytes, want)
	}
	filterKeys(t, store, 3000)
	flush(t, store)
	check(t, store.Close())
	if m := store.Metrics(); m.FilterBytes != 0 || m.Filter.Bits != 0 || m.IndexBytes != 0 {
		t.Errorf("after Close %d bytes, %d bits, %d bytes of indexes", m.FilterBytes, m.Filter.Bits, m.IndexBytes)
	}
	ledgerHolds(t, store)
}

// TestLimitFallsBelowOffers lowers the limit while tables are being built whose filters are offered already: it holds all
// the same.
func TestLimitFallsBelowOffers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memStore(t, planed)
		filterKeys(t, store, 20_000)
		flush(t, store)
		loaded(t, store)
		synctest.Wait()
		offered := store.view.Load().tables[6][0].resident.Load()
		for number := range uint64(5) {
			store.keeper.offer(1000+number, offered.TableFilter)
		}
		for _, limit := range []int64{6 * offered.size(), 5 * offered.size(), 5*offered.size() - 1, offered.size(), 1} {
			check(t, store.SetFilterMemory(limit))
			synctest.Wait()
			ledgerHolds(t, store)
			if m := store.Metrics(); m.FilterBytes > limit {
				t.Errorf("%d bytes of filters, the limit is %d", m.FilterBytes, limit)
			}
		}
	})
}
