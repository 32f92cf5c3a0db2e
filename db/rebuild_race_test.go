package db

import (
	"context"
	"sync"
	"testing"
	"time"

	"siftdb/bloom"
	"siftdb/internal/fsys"
)

// TestRebuildFiltersAtOnce: of several calls, and settings of bits, at once the last one has its way; none goes on
// for ever undoing what another does.
func TestRebuildFiltersAtOnce(t *testing.T) {
	fault := fsys.NewFault(fsys.NewMem())
	store := openStore(t, fault)
	fill(t, store, 1000, 100, "")
	flush(t, store)
	fault.SetHook(slowTables(2 * time.Millisecond))
	var calls sync.WaitGroup
	for i := range 3 {
		calls.Go(func() {
			if err := store.RebuildFilters(context.Background(), bloom.Ribbon(float64(5+i))); err != nil {
				t.Error(err)
			}
		})
	}
	calls.Go(func() {
		for bits := range 5 {
			if err := store.SetBitsPerKey(float64(3 + bits)); err != nil {
				t.Error(err)
			}
			time.Sleep(time.Millisecond)
		}
	})
	within(t, "rebuilds at once", calls.Wait)
	want := store.keeper.policyNow().String()
	check(t, store.RebuildFilters(context.Background(), store.keeper.policyNow()))
	for info := range store.Tables() {
		if info.FilterPolicy != want {
			t.Errorf("%s has %q, want %q", info.File, info.FilterPolicy, want)
		}
	}
	if n := store.Metrics().FiltersRebuilt; n > 500 {
		t.Errorf("%d tables were rebuilt", n)
	}
}
