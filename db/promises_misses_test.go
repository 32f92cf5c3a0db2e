package db

import (
	"bytes"
	"testing"
)

// promiseMisses: ErrNotFound comes back itself, from every reader and place.
func promiseMisses(t *testing.T) {
	store := memStore(t)
	put(t, store, "a", "c", "deleted in a table", "deleted in memory")
	check(t, store.Delete([]byte("deleted in a table")))
	flush(t, store)
	check(t, store.Delete([]byte("deleted in memory")))
	snapshot := store.Snapshot()
	defer snapshot.Close()
	overLong := string(make([]byte, MaxKeySize+1))
	for name, from := range map[string]Reader{"store": store, "snapshot": snapshot} {
		for _, k := range []string{"b", "d", "", "deleted in a table", "deleted in memory", overLong} {
			key := []byte(k)
			if v, err := from.Get(key); err != ErrNotFound || v != nil {
				t.Errorf("%s: Get %.20q: %q, %v", name, k, v, err)
			}
			err := from.GetFunc(key, func([]byte) error { t.Errorf("%s: GetFunc calls for %.20q", name, k); return nil })
			if err != ErrNotFound {
				t.Errorf("%s: GetFunc %.20q: %v", name, k, err)
			}
			if has, err := from.Has(key); has || err != nil {
				t.Errorf("%s: Has %.20q: %v, %v", name, k, has, err)
			}
		}
	}
}

// promiseAppendGetMiss: dst comes back unchanged, so that buf, err = AppendGet(buf[:0], k) keeps its buffer.
func promiseAppendGetMiss(t *testing.T) {
	store := memStore(t)
	put(t, store, "a")
	buf := append(make([]byte, 0, 64), "kept"...)
	for _, dst := range [][]byte{nil, {}, buf, buf[:0]} {
		got, err := store.AppendGet(dst, []byte("b"))
		if err != ErrNotFound || !bytes.Equal(got, dst) || cap(got) != cap(dst) || (got == nil) != (dst == nil) {
			t.Errorf("miss: %q with room %d, %v; want %q with room %d", got, cap(got), err, dst, cap(dst))
		}
	}
	if string(buf[:4]) != "kept" {
		t.Errorf("the buffer holds %q", buf[:4])
	}
	if got, err := store.AppendGet(buf, []byte("a")); err != nil || string(got) != "kepta" || &got[0] != &buf[0] {
		t.Errorf("hit: %q, %v", got, err)
	}
	check(t, store.Close())
	if got, err := store.AppendGet(buf, []byte("a")); err != ErrClosed || &got[0] != &buf[0] || len(got) != 4 {
		t.Errorf("closed: %q, %v", got, err)
	}
}

// promiseOverLongRead: a key longer than any can be is not there.
func promiseOverLongRead(t *testing.T) {
	store := memStore(t)
	longest := bytes.Repeat([]byte("k"), MaxKeySize)
	check(t, store.Put(longest, []byte("v")))
	for range 2 {
		wantValue(t, store, string(longest), "v")
		wantMiss(t, store, string(longest)+"k")
		if has, err := store.Has(append(longest, 'k')); has || err != nil {
			t.Errorf("Has: %v, %v", has, err)
		}
		flush(t, store)
	}
	if m := store.Metrics(); m.Filter.Checks != 1 { // the longest itself
		t.Errorf("%d filters were asked", m.Filter.Checks)
	}
}

// promiseCosts: no allocation on a miss, one by Get, none by AppendGet with a buffer and by GetFunc; from memory
// and from tables whose blocks are in the cache.
func promiseCosts(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	store := memStore(t, func(o *Options) { o.NoCompaction = true })
	put(t, store, "table", "table z")
	flush(t, store)
	put(t, store, "memory", "memory z")
	buf := make([]byte, 0, 64)
	for _, k := range [][]byte{[]byte("memory"), []byte("table")} {
		absent := append(append([]byte{}, k...), ' ')
		for _, c := range []struct {
			call string
			want float64
			read func()
		}{
			{"Get", 1, func() { store.Get(k) }},
			{"AppendGet", 0, func() { store.AppendGet(buf, k) }},
			{"GetFunc", 0, func() { store.GetFunc(k, func([]byte) error { return nil }) }},
			{"Has", 0, func() { store.Has(k) }},
			{"Get of an absent key", 0, func() { store.Get(absent) }},
			{"AppendGet of an absent key", 0, func() { store.AppendGet(buf, absent) }},
			{"Has of an absent key", 0, func() { store.Has(absent) }},
			{"Get without filters", 1, func() { store.Get(k, IgnoreFilters) }},
		} {
			for range 3 {
				c.read() // to open the table and to admit the block to the cache
			}
			if got := testing.AllocsPerRun(100, c.read); got > c.want {
				t.Errorf("%s of %q: %.0f allocations, want %.0f", c.call, k, got, c.want)
			}
		}
	}
}
