package db

import (
	"context"
	"errors"
	"testing"

	"siftdb/bloom"
	"siftdb/internal/fsys"
)

// wantLeak checks what Close returned: a *LeakError with these numbers.
func wantLeak(t *testing.T, err error, iterators, snapshots int) {
	t.Helper()
	leak, ok := errors.AsType[*LeakError](err)
	if !ok || *leak != (LeakError{Iterators: iterators, Snapshots: snapshots}) {
		t.Errorf("Close: %v, want %d iterators and %d snapshots left open", err, iterators, snapshots)
	}
}

// closedReads makes every call of a Reader that is closed and returns their errors.
func closedReads(from Reader) map[string]error {
	k := []byte("b")
	calls := make(map[string]error)
	_, calls["Get"] = from.Get(k)
	_, calls["AppendGet"] = from.AppendGet(nil, k)
	calls["GetFunc"] = from.GetFunc(k, func([]byte) error { return errors.New("GetFunc called its function") })
	_, calls["Has"] = from.Has(k)
	_, calls["Get of an over-long key"] = from.Get(make([]byte, MaxKeySize+1))
	for _, err := range from.Scan(Range{}) {
		calls["Scan"] = err
	}
	it := from.NewIter(Range{})
	calls["NewIter"] = it.Err()
	if it.First() || it.Last() || it.Next() || it.Prev() || it.SeekGE(k) || it.SeekLT(k) || it.Valid() {
		calls["a move"] = errors.New("an iterator of a closed store moves")
	}
	for range it.All() {
		calls["All"] = errors.New("All of a closed store runs")
	}
	if err := it.Close(); err != nil {
		calls["Close of an iterator"] = err
	}
	return calls
}

// closedCalls makes every call of a closed store and returns their errors.
func closedCalls(store *DB) map[string]error {
	ctx := context.Background()
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	k := []byte("b")
	calls := closedReads(store)
	var full, overLong Batch
	full.Put(k, k)
	overLong.Put(make([]byte, MaxKeySize+1), nil)
	calls["Put"] = store.Put(k, k)
	calls["Put without sync"] = store.Put(k, k, NoSync)
	calls["Put of an over-long key"] = store.Put(make([]byte, MaxKeySize+1), nil)
	calls["Delete"] = store.Delete(k)
	calls["Delete of an over-long key"] = store.Delete(make([]byte, MaxKeySize+1))
	calls["Apply"] = store.Apply(&full)
	calls["Apply of nothing"] = store.Apply(new(Batch))
	calls["Apply of too much"] = store.Apply(&overLong)
	calls["Sync"] = store.Sync()
	calls["SetBitsPerKey"] = store.SetBitsPerKey(5)
	calls["SetBitsPerKey of no number"] = store.SetBitsPerKey(-1)
	calls["SetFilterMemory"] = store.SetFilterMemory(1 << 20)
	calls["SetFilterMemory of less than nothing"] = store.SetFilterMemory(-1)
	calls["View"] = store.View(func(*Snapshot) error { return errors.New("View called its function") })
	for call, ctx := range map[string]context.Context{"": ctx, " with a cancelled context": cancelled} {
		calls["Flush"+call] = store.Flush(ctx)
		calls["Compact"+call] = store.Compact(ctx, Range{})
		calls["Compact of no range"+call] = store.Compact(ctx, Range{Upper: []byte{}})
		calls["WaitQuiet"+call] = store.WaitQuiet(ctx)
		calls["LoadFilters"+call] = store.LoadFilters(ctx)
		calls["RebuildFilters"+call] = store.RebuildFilters(ctx, bloom.BitsPerKey(5))
		calls["RebuildFilters of no filter"+call] = store.RebuildFilters(ctx, bloom.BitsPerKey(-1))
		calls["Verify"+call] = lastOf(store.Verify(ctx))
	}
	calls["Close"] = store.Close()
	return calls
}

// promiseAfterClose: every call returns ErrClosed, those of open iterators and snapshots too, and a second Close
// (ITR-03). Metrics and Tables still answer.
func promiseAfterClose(t *testing.T) {
	for name, readOnly := range map[string]bool{"writing": false, "read-only": true} {
		t.Run(name, func(t *testing.T) {
			disk := fsys.NewMem()
			store := openStore(t, disk)
			put(t, store, "a", "b", "c")
			flush(t, store)
			put(t, store, "d")
			check(t, store.Close())
			store = openStore(t, disk, func(o *Options) { o.ReadOnly = readOnly })

			snapshot, it, moved := store.Snapshot(), store.NewIter(Range{}), store.NewIter(Range{})
			moved.First()
			wantLeak(t, store.Close(), 2, 1)
			for call, err := range closedCalls(store) {
				if err != ErrClosed {
					t.Errorf("%s: %v", call, err)
				}
			}
			for call, err := range closedReads(snapshot) {
				if err != ErrClosed {
					t.Errorf("snapshot: %s: %v", call, err)
				}
			}
			for _, it := range []*Iterator{it, moved} {
				for _, m := range []string{"Next", "Prev", "First", "Last", "SeekGE b", "SeekLT b"} {
					if move(it, m) || it.Valid() || it.Err() != ErrClosed {
						t.Errorf("iterator: %s, %v", m, it.Err())
					}
				}
			}
			for range store.Tables() {
				t.Error("a closed store has tables")
			}
			if m := store.Metrics(); m.MemTables != 0 || m.OpenTables != 0 {
				t.Errorf("a closed store has %d memtables and %d open files", m.MemTables, m.OpenTables)
			}
			if s := store.Metrics().Sub(store.Metrics()); s.Writes != 0 {
				t.Errorf("Sub: %d writes", s.Writes)
			}
		})
	}
}

// promiseViewsAfterClose: Snapshot and NewIter of a closed store are values, not nil, on which every call gives
// ErrClosed.
func promiseViewsAfterClose(t *testing.T) {
	store := memStore(t)
	put(t, store, "b")
	check(t, store.Close())
	snapshot, it := store.Snapshot(), store.NewIter(Range{})
	for call, err := range closedReads(snapshot) {
		if err != ErrClosed {
			t.Errorf("%s: %v", call, err)
		}
	}
	for _, m := range []string{"Next", "Prev", "First", "Last", "SeekGE b", "SeekLT b"} {
		if move(it, m) || it.Valid() || it.Err() != ErrClosed {
			t.Errorf("iterator: %s, %v", m, it.Err())
		}
	}
	var trace Trace
	traced := store.NewIter(Range{}, TraceTo(&trace))
	for _, it := range []*Iterator{it, traced} { // a walk that asks only Close must not take the store for an empty one
		if err := it.Close(); err != ErrClosed {
			t.Errorf("Close of an iterator over a closed store: %v", err)
		}
	}
	for _, c := range []interface{ Close() error }{snapshot, snapshot, it, traced} {
		check(t, c.Close())
	}
	if it.Key() != nil || it.Value() != nil {
		t.Errorf("the iterator has %q, %q", it.Key(), it.Value())
	}
}

// promiseNilSeek: nil in a seek is the empty key; only in a Range does it mean no bound.
func promiseNilSeek(t *testing.T) {
	store := memStore(t)
	put(t, store, "", "a")
	it := store.NewIter(Range{})
	defer it.Close()
	if !it.SeekGE(nil) || len(it.Key()) != 0 || it.Key() == nil {
		t.Errorf("SeekGE(nil) is at %#v", it.Key())
	}
	if it.SeekLT(nil) {
		t.Errorf("SeekLT(nil) is at %#v", it.Key())
	}
	if !it.Next() || len(it.Key()) != 0 {
		t.Errorf("Next after SeekLT(nil) is at %#v", it.Key())
	}
	bounded := store.NewIter(Range{Lower: []byte("a")})
	defer bounded.Close()
	if !bounded.SeekGE(nil) || string(bounded.Key()) != "a" || bounded.SeekLT(nil) {
		t.Error("a seek to nil leaves the range")
	}
}
