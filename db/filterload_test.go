package db

import (
	"strings"
	"syscall"
	"testing"

	"siftdb/bloom"
	"siftdb/internal/fsys"
)

// TestFilterLoadFailsOnce: a filter that could not be read for a passing reason is tried again by itself, under each
// plan; meanwhile reads go on without it, and it is not called damaged.
func TestFilterLoadFailsOnce(t *testing.T) {
	for _, plan := range []bloom.Plan{bloom.Adaptive, bloom.ByLevel, bloom.Uniform} {
		t.Run(plan.String(), func(t *testing.T) {
			t.Parallel() // it waits for the keeper's next look
			disk := fsys.NewMem()
			store := openStore(t, disk)
			fill(t, store, 50, 10, "")
			flush(t, store)
			check(t, store.Close())
			fault := fsys.NewFault(disk)
			said := new(lines)
			store = openStore(t, fault, logged(said), func(o *Options) { o.FilterPlan = plan })
			wantValue(t, store, "key000001", string(filled("key000001", 10, ""))) // opens the table
			quiet(t, store)
			check(t, store.SetFilterMemory(1)) // which drops the filter, if it has been loaded already
			quiet(t, store)
			fault.SetHook(func(op fsys.Op, name string) error {
				if op == fsys.OpReadAt && strings.HasSuffix(name, ".sst") {
					return syscall.EIO
				}
				return nil
			})
			check(t, store.SetFilterMemory(0))
			eventually(t, "a failed load", func() bool { return store.Metrics().BackgroundErrors > 0 })
			fault.SetHook(nil)
			wantMiss(t, store, "key000001x")
			// Bytes are booked before it is there.
			eventually(t, "the filter", func() bool { return tablesOf(store)[0].ResidentPlanes > 0 })
			info := tablesOf(store)[0]
			if m := store.Metrics(); info.FilterProblem != nil || m.UnusableFilters != 0 || len(said.with("filter not usable")) != 0 {
				t.Errorf("%v, %d unusable filters, %q", info.FilterProblem, m.UnusableFilters, said.with("filter"))
			}
			before := store.Metrics()
			wantMiss(t, store, "key000001x")
			if d := store.Metrics().Sub(before); d.Filter.Checks != 1 {
				t.Errorf("%d checks", d.Filter.Checks)
			}
		})
	}
}
