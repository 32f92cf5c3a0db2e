package db

import (
	"fmt"
	"testing"

	"siftdb/internal/fsys"
)

// promiseDurability: a write returns when it is on disk; NoSync, per call or for the store, returns before, and is
// lost only with all after it.
func promiseDurability(t *testing.T) {
	writes := []struct {
		name  string
		write func(store *DB, k []byte, opts ...WriteOption) error
	}{
		{"Put", func(store *DB, k []byte, opts ...WriteOption) error { return store.Put(k, k, opts...) }},
		{"Delete", func(store *DB, k []byte, opts ...WriteOption) error { return store.Delete(k, opts...) }},
		{"Apply", func(store *DB, k []byte, opts ...WriteOption) error {
			var b Batch
			b.Put(k, k)
			return store.Apply(&b, opts...)
		}},
	}
	for _, c := range []struct {
		noSync bool
		opts   []WriteOption
		synced bool
	}{
		{false, nil, true},
		{false, []WriteOption{Sync}, true},
		{false, []WriteOption{NoSync}, false},
		{false, []WriteOption{NoSync, Sync}, true},
		{true, nil, false},
		{true, []WriteOption{Sync}, true},
		{true, []WriteOption{NoSync}, false},
		{true, []WriteOption{Sync, NoSync}, false},
		{true, []WriteOption{{}}, false},
		{false, []WriteOption{{}}, true},
	} {
		for _, w := range writes {
			name := fmt.Sprintf("%s, store NoSync %v, options %v", w.name, c.noSync, c.opts)
			disk := fsys.NewMem()
			fault := fsys.NewFault(disk)
			store := openStore(t, fault, func(o *Options) { o.NoSync = c.noSync })
			check(t, store.Put([]byte("old"), []byte("old"), Sync))
			syncs := 0
			fault.SetHook(onLog(func(op fsys.Op, _ string) error {
				if op == fsys.OpSync {
					syncs++
				}
				return nil
			}))
			check(t, w.write(store, []byte("old"), c.opts...))
			cut := disk.CrashClone(nil)
			fault.SetHook(nil)
			if (syncs > 0) != c.synced {
				t.Errorf("%s: %d syncs", name, syncs)
			}
			now := openStore(t, cut)
			_, there := content(t, now)["old"]
			if c.synced && there == (w.name == "Delete") {
				t.Errorf("%s: lost by a power cut", name)
			}
			check(t, now.Close())
			check(t, store.Sync())
			now = openStore(t, disk.CrashClone(nil))
			if _, there := content(t, now)["old"]; there == (w.name == "Delete") {
				t.Errorf("%s: lost by a power cut after Sync", name)
			}
			check(t, now.Close())
			check(t, store.Close())
		}
	}
}

// promiseCallOptions: small values in a variadic list; none and some cost no allocation.
func promiseCallOptions(t *testing.T) {
	store := memStore(t)
	put(t, store, "a")
	flush(t, store)
	var trace Trace
	if _, err := store.Get([]byte("a"), IgnoreFilters, NoCache, TraceTo(&trace)); err != nil {
		t.Fatal(err)
	}
	if trace.Tables != 1 || trace.TruePasses != 0 || trace.BlocksRead != 1 || trace.BlocksCached != 0 {
		t.Errorf("options were not heeded: %+v", trace)
	}
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	key, buf := []byte("a"), make([]byte, 0, 8)
	for range 3 {
		store.AppendGet(buf, key)
	}
	allocs := testing.AllocsPerRun(100, func() {
		if _, err := store.AppendGet(buf, key, IgnoreFilters); err != nil {
			t.Error(err)
		}
	})
	if allocs != 0 {
		t.Errorf("a read with an option allocates %.0f times", allocs)
	}
}

// promiseScanCopies: entries are full slice expressions cut from chunks: hardly any allocation an entry.
func promiseScanCopies(t *testing.T) {
	t.Run("belong to the caller", slicesReturnedByScan)
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	store := memStore(t, func(o *Options) { o.MemTableSize = 1 << 20 })
	const entries = 2000
	fill(t, store, entries, 50, "")
	allocs := testing.AllocsPerRun(5, func() {
		for _, err := range store.Scan(Range{}) {
			check(t, err)
		}
	})
	if each := allocs / entries; each > 0.1 {
		t.Errorf("%.2f allocations an entry", each)
	}
}
