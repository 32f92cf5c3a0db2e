package db

import (
	"context"
	"fmt"
	"testing"
)

// promiseEmpty: a nil value is the empty value, which Get returns as empty and not nil; the empty key is a key
// (LIM-05).
func promiseEmpty(t *testing.T) {
	for _, key := range [][]byte{nil, {}} {
		for _, value := range [][]byte{nil, {}} {
			name := fmt.Sprintf("Put(%#v, %#v)", key, value)
			t.Run(name+" alone", func(t *testing.T) {
				store := memStore(t)
				check(t, store.Put(key, value))
				emptyEverywhere(t, store, []string{""})
			})
			t.Run(name+" among others", func(t *testing.T) {
				store := memStore(t)
				put(t, store, "\x00", "a")
				check(t, store.Put(key, value))
				emptyEverywhere(t, store, []string{"", "\x00", "a"})
			})
		}
	}
	t.Run("by a batch", func(t *testing.T) {
		store := memStore(t)
		var b Batch
		b.Put(nil, nil)
		check(t, store.Apply(&b))
		emptyEverywhere(t, store, []string{""})
	})
}

// emptyEverywhere looks at the empty key, whose value is empty, in memory, in a table, after a compaction and
// after a reopening; then deletes it in the same places.
func emptyEverywhere(t *testing.T, store *DB, keys []string) {
	t.Helper()
	where := []string{"memory", "table", "last level"}
	stages := []func() error{
		func() error { return nil },
		func() error { return store.Flush(context.Background()) },
		func() error { return store.Compact(context.Background(), Range{}) },
	}
	for i, stage := range stages {
		check(t, stage())
		v, err := store.Get(nil)
		if err != nil || v == nil || len(v) != 0 {
			t.Errorf("%s: Get: %#v, %v", where[i], v, err)
		}
		if has, err := store.Has([]byte{}); !has || err != nil {
			t.Errorf("%s: Has: %v, %v", where[i], has, err)
		}
		check(t, store.GetFunc(nil, func(v []byte) error {
			if len(v) != 0 {
				t.Errorf("%s: GetFunc: %q", where[i], v)
			}
			return nil
		}))
		if got := keysOf(t, store, Range{}); fmt.Sprint(got) != fmt.Sprint(keys) {
			t.Errorf("%s: Scan: %q", where[i], got)
		}
		it := store.NewIter(Range{})
		if !it.SeekGE(nil) || it.Key() == nil || len(it.Key()) != 0 || it.Value() == nil || len(it.Value()) != 0 {
			t.Errorf("%s: SeekGE: %#v, %#v", where[i], it.Key(), it.Value())
		}
		if it.SeekLT(nil) || it.SeekLT([]byte{}) {
			t.Errorf("%s: something is before the empty key", where[i])
		}
		if len(keys) > 1 && (!it.SeekLT([]byte("\x00")) || len(it.Key()) != 0) {
			t.Errorf("%s: SeekLT: %#v", where[i], it.Key())
		}
		check(t, it.Close())
	}
	for _, stage := range stages {
		check(t, store.Delete(nil))
		check(t, stage())
		wantMiss(t, store, "")
		if got := keysOf(t, store, Range{}); fmt.Sprint(got) != fmt.Sprint(keys[1:]) {
			t.Errorf("deleted: Scan: %q", got)
		}
	}
}
