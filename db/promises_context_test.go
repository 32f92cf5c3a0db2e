package db

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"siftdb/bloom"
	"siftdb/internal/fsys"
)

// promiseContext: long calls with a cancelled context give ctx.Err(), also when there was nothing to do; what was
// done stays done.
func promiseContext(t *testing.T) {
	stores := map[string]func(t *testing.T) *DB{
		"empty": func(t *testing.T) *DB { return memStore(t) },
		"filled": func(t *testing.T) *DB {
			store := memStore(t)
			fill(t, store, 500, 100, "")
			return store
		},
		"quiet": func(t *testing.T) *DB {
			store := memStore(t)
			fill(t, store, 500, 100, "")
			check(t, store.Compact(context.Background(), Range{}))
			return store
		},
	}
	expired, cancel := context.WithDeadline(context.Background(), time.Now().Add(-time.Second))
	defer cancel()
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for name, open := range stores {
		t.Run(name, func(t *testing.T) {
			store := open(t)
			before := content(t, store)
			for _, ctx := range []context.Context{expired, cancelled} {
				for call, err := range map[string]error{
					"Flush":               store.Flush(ctx),
					"Compact":             store.Compact(ctx, Range{}),
					"Compact of no range": store.Compact(ctx, Range{Upper: []byte{}}),
					"Verify":              lastOf(store.Verify(ctx)),
					"WaitQuiet":           store.WaitQuiet(ctx),
					"LoadFilters":         store.LoadFilters(ctx),
					"RebuildFilters":      store.RebuildFilters(ctx, bloom.BitsPerKey(7)),
				} {
					if err != ctx.Err() {
						t.Errorf("%s: %v, want %v", call, err, ctx.Err())
					}
				}
			}
			if after := content(t, store); fmt.Sprint(after) != fmt.Sprint(before) {
				t.Error("the content changed")
			}
			quiet(t, store)
		})
	}
	t.Run("Compact cancelled halfway", compactCancelledHalfway)
	t.Run("Verify cancelled at its last table", verifyCancelledAtLast)
}

// lastOf is the error of the last pair.
func lastOf(pairs func(func(TableInfo, error) bool)) (last error) {
	for _, err := range pairs {
		last = err
	}
	return last
}

// compactCancelledHalfway cancels at each of the first table files that the compaction makes. The cancellation is
// the caller's affair: the store does not take it for a failure of its own.
func compactCancelledHalfway(t *testing.T) {
	for n := 1; n <= 4; n++ {
		fault := fsys.NewFault(fsys.NewMem())
		store := openStore(t, fault)
		fill(t, store, 1500, 100, "")
		quiet(t, store)
		before := content(t, store)
		ctx, cancel := context.WithCancel(context.Background())
		made := 0
		fault.SetHook(func(op fsys.Op, _ string) error {
			if op == fsys.OpCreate {
				if made++; made == n {
					cancel()
				}
			}
			return nil
		})
		err := store.Compact(ctx, Range{})
		if err != context.Canceled && (err != nil || made >= n) {
			t.Errorf("cancelled at file %d of %d: %v", n, made, err)
		}
		cancel()
		fault.SetHook(nil)
		within(t, "WaitQuiet after a cancelled Compact", func() { quiet(t, store) })
		if m := store.Metrics(); m.BackgroundErrors != 0 || m.RunningCompactions != 0 {
			t.Errorf("%d errors, %d running", m.BackgroundErrors, m.RunningCompactions)
		}
		if after := content(t, store); fmt.Sprint(after) != fmt.Sprint(before) {
			t.Error("the content changed")
		}
		check(t, store.Compact(context.Background(), Range{}))
		check(t, store.Close())
	}
}

// verifyCancelledAtLast cancels while the only table is being read.
func verifyCancelledAtLast(t *testing.T) {
	fault := fsys.NewFault(fsys.NewMem())
	store := openStore(t, fault)
	put(t, store, "a")
	flush(t, store)
	ctx, cancel := context.WithCancel(context.Background())
	fault.SetHook(func(op fsys.Op, _ string) error {
		if op == fsys.OpReadAt {
			cancel()
		}
		return nil
	})
	if err := lastOf(store.Verify(ctx)); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
}
