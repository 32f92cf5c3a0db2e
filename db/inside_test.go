package db

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"siftdb/internal/fsys"
)

// TestCallsInsideCallbacksAndLoops makes every kind of call from inside the functions and loops that the store runs:
// none waits for itself.
func TestCallsInsideCallbacksAndLoops(t *testing.T) {
	within := func(t *testing.T, name string, run func(store *DB, body func())) {
		t.Run(name, func(t *testing.T) {
			store := memStore(t)
			fill(t, store, 300, 100, "")
			flush(t, store)
			put(t, store, "a")
			ran := 0
			within(t, "calls inside "+name, func() {
				run(store, func() {
					if ran++; ran <= 3 {
						callEverything(t, store)
					}
				})
			})
			if ran == 0 {
				t.Error("nothing ran")
			}
			check(t, store.Close())
		})
	}
	key := []byte("a")
	within(t, "GetFunc", func(store *DB, body func()) {
		check(t, store.GetFunc(key, func([]byte) error { body(); return nil }))
	})
	within(t, "GetFunc of a value in a table", func(store *DB, body func()) {
		check(t, store.GetFunc([]byte("key000100"), func(v []byte) error {
			before := string(v)
			body()
			if string(v) != before {
				t.Error("the value has changed under the call")
			}
			return nil
		}))
	})
	within(t, "View", func(store *DB, body func()) {
		check(t, store.View(func(*Snapshot) error { body(); return nil }))
	})
	within(t, "View in View", func(store *DB, body func()) {
		check(t, store.View(func(*Snapshot) error {
			return store.View(func(*Snapshot) error { body(); return nil })
		}))
	})
	within(t, "Scan", func(store *DB, body func()) {
		for _, err := range store.Scan(Range{}) {
			check(t, err)
			body()
		}
	})
	within(t, "All", func(store *DB, body func()) {
		it := store.NewIter(Range{})
		defer it.Close()
		for range it.All() {
			body()
		}
	})
	within(t, "Verify", func(store *DB, body func()) {
		for _, err := range store.Verify(context.Background()) {
			check(t, err)
			body()
		}
	})
	within(t, "Tables", func(store *DB, body func()) {
		for range store.Tables() {
			body()
		}
	})
}

func callEverything(t *testing.T, store *DB) {
	t.Helper()
	ctx := context.Background()
	var b Batch
	b.Put([]byte("b"), nil)
	for call, err := range map[string]error{
		"Put": store.Put([]byte("inside"), filled("", 20<<10, "")), "Delete": store.Delete([]byte("inside")),
		"Apply": store.Apply(&b), "Sync": store.Sync(), "Flush": store.Flush(ctx),
		"Compact": store.Compact(ctx, Range{}), "WaitQuiet": store.WaitQuiet(ctx),
		"LoadFilters": store.LoadFilters(ctx), "SetBitsPerKey": store.SetBitsPerKey(12), "Verify": lastOf(store.Verify(ctx)),
		"View": store.View(func(s *Snapshot) error { _, err := s.Has([]byte("a")); return err }),
	} {
		if err != nil {
			t.Errorf("%s: %v", call, err)
		}
	}
	store.Metrics()
	for range store.Tables() {
	}
	store.Snapshot().Close()
	wantValue(t, store, "key000200", string(filled("key000200", 100, "")))
	if n := len(keysOf(t, store, Range{})); n != 302 {
		t.Errorf("%d keys", n)
	}
}

// TestOpensAtOnce: of several at once on one directory, exactly one has the store.
func TestOpensAtOnce(t *testing.T) {
	for name, disk := range map[string]FS{"memory": fsys.NewMem(), "disk": OSFiles()} {
		dir := t.TempDir() + "/store"
		for range 20 {
			var stores [6]*DB
			var locked atomic.Int32
			var opening sync.WaitGroup
			for i := range stores {
				opening.Go(func() {
					store, err := Open(dir, &Options{FS: disk})
					if stores[i] = store; err != nil {
						if !errors.Is(err, ErrLocked) {
							t.Errorf("%s: %v", name, err)
						}
						locked.Add(1)
					}
				})
			}
			opening.Wait()
			open := 0
			for _, store := range stores {
				if store != nil {
					open++
					check(t, store.Put([]byte("k"), nil, NoSync))
					check(t, store.Close())
				}
			}
			if open != 1 || int(locked.Load()) != len(stores)-1 {
				t.Fatalf("%s: %d stores are open, %d were locked out", name, open, locked.Load())
			}
		}
	}
}

// TestStoresOnOneFileSystem: several stores side by side do not meet.
func TestStoresOnOneFileSystem(t *testing.T) {
	disk := fsys.NewMem()
	var stores []*DB
	for i := range 5 {
		store, err := Open(fmt.Sprintf("stores/%d", i), small(disk))
		check(t, err)
		stores = append(stores, store)
		put(t, store, fmt.Sprint(i))
		flush(t, store)
	}
	for i, store := range stores {
		if got := keysOf(t, store, Range{}); fmt.Sprint(got) != fmt.Sprintf("[%d]", i) {
			t.Errorf("store %d has %q", i, got)
		}
		check(t, store.Close())
	}
}
