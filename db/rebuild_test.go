package db

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"testing"

	"siftdb/bloom"
	"siftdb/internal/fsys"
)

// TestRebuildFilters gives a store of several levels, level 0 among them, one filter after another. Data blocks are
// copied as they are, all answers stay, and what is there already is left alone.
func TestRebuildFilters(t *testing.T) {
	disk := fsys.NewMem()
	store := openStore(t, disk, func(o *Options) { o.Filter = bloom.None })
	fill(t, store, 4000, 100, "old")
	check(t, store.Compact(context.Background(), Range{}))
	fill(t, store, 500, 100, "new")
	flush(t, store)
	quiet(t, store)
	before := content(t, store)
	for _, policy := range []bloom.Policy{bloom.Ribbon(10), bloom.Blocked(16), bloom.BitsPerKey(12), bloom.None,
		bloom.Classic(8)} {
		was := store.Metrics()
		check(t, store.RebuildFilters(context.Background(), policy))
		rebuilt := store.Metrics().Sub(was)
		if rebuilt.FiltersRebuilt == 0 {
			t.Errorf("%s: nothing was rebuilt", policy)
		}
		check(t, store.LoadFilters(context.Background()))
		for info := range store.Tables() {
			if info.FilterPolicy != policy.String() || (info.FilterBits == 0) != (policy == bloom.None) || info.FilterProblem != nil {
				t.Errorf("%s: %+v", policy, info)
			}
		}
		if after := content(t, store); fmt.Sprint(after) != fmt.Sprint(before) {
			t.Errorf("%s: the store holds something else", policy)
		}
		for i := range 4000 {
			key := fmt.Appendf(nil, "key%06d", i)
			if _, err := store.Get(key); err != nil {
				t.Fatalf("%s: %q: %v", policy, key, err)
			}
			if _, err := store.Get(append(key, 'x')); err != ErrNotFound {
				t.Fatalf("%s: %qx: %v", policy, key, err)
			}
		}
		check(t, lastOf(store.Verify(context.Background())))
		check(t, store.RebuildFilters(context.Background(), policy))
		if again := store.Metrics().Sub(was); again.FiltersRebuilt != rebuilt.FiltersRebuilt {
			t.Errorf("%s: rebuilt %d tables that were up to date", policy, again.FiltersRebuilt-rebuilt.FiltersRebuilt)
		}
	}
	// New tables get the filter, too, and a reopened store has it all.
	fill(t, store, 300, 100, "newer")
	flush(t, store)
	for info := range store.Tables() {
		if info.FilterFamily != "classic" {
			t.Errorf("%+v", info)
		}
	}
	before = content(t, store)
	check(t, store.Close())
	store = openStore(t, disk)
	if fmt.Sprint(content(t, store)) != fmt.Sprint(before) {
		t.Error("reopened, the store holds something else")
	}
}

// TestRebuildFiltersBesideOthers runs it under writes, reads and compactions.
func TestRebuildFiltersBesideOthers(t *testing.T) {
	store := memStore(t)
	fill(t, store, 3000, 100, "")
	var others sync.WaitGroup
	stop := make(chan struct{})
	others.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			store.Put(fmt.Appendf(nil, "key%06d", i%3000), filled("v", 100, ""), NoSync)
			if _, err := store.Get(fmt.Appendf(nil, "key%06d", (i*7)%3000)); err != nil {
				t.Errorf("get: %v", err)
				return
			}
		}
	})
	for round := range 6 {
		check(t, store.RebuildFilters(context.Background(), bloom.Ribbon(float64(4+round))))
		if round%2 == 0 {
			check(t, store.Compact(context.Background(), Range{}))
		}
	}
	close(stop)
	others.Wait()
	quiet(t, store)
	check(t, lastOf(store.Verify(context.Background())))
}

// TestRebuildFiltersRefuses: bad numbers, a context that has ended, a read-only and a closed store.
func TestRebuildFiltersRefuses(t *testing.T) {
	disk := fsys.NewMem()
	store := openStore(t, disk)
	fill(t, store, 100, 10, "")
	flush(t, store)
	var option *OptionError
	for _, bits := range []float64{-1, 1000, math.NaN(), math.Inf(1)} {
		if err := store.RebuildFilters(context.Background(), bloom.Ribbon(bits)); !errors.As(err, &option) {
			t.Errorf("%v bits: %v", bits, err)
		}
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if err := store.RebuildFilters(cancelled, bloom.Ribbon(5)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	check(t, store.Close())
	if err := store.RebuildFilters(context.Background(), bloom.Ribbon(5)); err != ErrClosed {
		t.Errorf("closed: %v", err)
	}
	readOnly := openStore(t, disk, func(o *Options) { o.ReadOnly = true })
	if err := readOnly.RebuildFilters(context.Background(), bloom.Ribbon(5)); err != ErrReadOnly {
		t.Errorf("read-only: %v", err)
	}
}
