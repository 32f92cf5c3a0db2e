package db

import (
	"context"
	"fmt"
	"testing"
)

// promiseSlices: the store copies what it is given before the call returns; what Get and Scan return is the
// caller's (ITR-05, ITR-06).
func promiseSlices(t *testing.T) {
	t.Run("given to writes", slicesGivenToWrites)
	t.Run("given to reads", slicesGivenToReads)
	t.Run("returned", slicesReturned)
	t.Run("returned by Scan", slicesReturnedByScan)
}

func slicesGivenToWrites(t *testing.T) {
	store := memStore(t)
	k, v := []byte("put"), []byte("value")
	check(t, store.Put(k, v))
	scribble(k, v)
	var b Batch
	k, v = []byte("batch"), []byte("value")
	b.Put(k, v)
	scribble(k, v)
	k = []byte("gone")
	b.Put(k, nil)
	b.Delete(k)
	scribble(k)
	check(t, store.Apply(&b))
	form, err := b.AppendBinary(nil)
	check(t, err)
	var again Batch
	check(t, again.UnmarshalBinary(form))
	scribble(form)
	check(t, store.Apply(&again))
	check(t, store.Put([]byte("deleted"), nil))
	k = []byte("deleted")
	check(t, store.Delete(k))
	scribble(k)
	for range 2 { // from memory, then from a table
		if got := fmt.Sprint(content(t, store)); got != "map[batch:value put:value]" {
			t.Errorf("the store holds %s", got)
		}
		flush(t, store)
	}
}

func slicesGivenToReads(t *testing.T) {
	store := memStore(t)
	put(t, store, "a", "b", "c", "d")
	flush(t, store)
	put(t, store, "bb")
	snapshot := store.Snapshot()
	defer snapshot.Close()
	for name, from := range map[string]Reader{"store": store, "snapshot": snapshot} {
		r := Range{Lower: []byte("b"), Upper: []byte("d")}
		scan := from.Scan(r)
		it := from.NewIter(r)
		prefix := []byte("b")
		both := Prefix(prefix)
		scribble(r.Lower, r.Upper, prefix)
		var keys []string
		for e, err := range scan {
			check(t, err)
			keys = append(keys, string(e.Key))
		}
		if fmt.Sprint(keys) != "[b bb c]" {
			t.Errorf("%s: Scan gives %q", name, keys)
		}
		if it.First(); string(it.Key()) != "b" {
			t.Errorf("%s: First is %q", name, it.Key())
		}
		if it.Last(); string(it.Key()) != "c" {
			t.Errorf("%s: Last is %q", name, it.Key())
		}
		target := []byte("bb")
		it.SeekGE(target)
		scribble(target)
		if string(it.Key()) != "bb" || !it.Next() || string(it.Key()) != "c" {
			t.Errorf("%s: the iterator is at %q", name, it.Key())
		}
		check(t, it.Close())
		if got := keysOf(t, from, both); fmt.Sprint(got) != "[b bb]" {
			t.Errorf("%s: Prefix gives %q", name, got)
		}
	}
}

// slicesReturned: later writes, and Close, leave what was returned as it was, and it may be changed.
func slicesReturned(t *testing.T) {
	store := memStore(t)
	check(t, store.Put([]byte("memory"), []byte("one")))
	check(t, store.Put([]byte("table"), []byte("two")))
	flush(t, store)
	check(t, store.Put([]byte("memory"), []byte("one")))
	values := make(map[string][]byte)
	for _, k := range []string{"memory", "table"} {
		mine, err := store.Get([]byte(k))
		check(t, err)
		scribble(mine[:cap(mine)])
		values[k], err = store.Get([]byte(k))
		check(t, err)
	}
	fill(t, store, 500, 100, "")
	check(t, store.Put([]byte("memory"), []byte("xxx")))
	check(t, store.Put([]byte("table"), []byte("xxx")))
	check(t, store.Compact(context.Background(), Range{}))
	check(t, store.Close())
	if string(values["memory"]) != "one" || string(values["table"]) != "two" {
		t.Errorf("what Get had returned has become %q", values)
	}
}

// slicesReturnedByScan: entries outlive the loop and the store, and are full slice expressions: appending to one
// does not write over another.
func slicesReturnedByScan(t *testing.T) {
	store := memStore(t)
	want := make(map[string]string)
	for i := range 300 {
		k := fmt.Sprintf("k%03d", i)
		want[k] = string(filled(k, i*8, ""))
		check(t, store.Put([]byte(k), []byte(want[k]), NoSync))
	}
	var entries []Entry
	for e, err := range store.Scan(Range{}) {
		check(t, err)
		_ = append(e.Key, "overwritten"...)
		_ = append(e.Value, "overwritten"...)
		entries = append(entries, e)
	}
	check(t, store.Close())
	for _, e := range entries {
		if string(e.Value) != want[string(e.Key)] {
			t.Fatalf("%q: %q", e.Key, e.Value)
		}
		if cap(e.Key) != len(e.Key) {
			t.Fatalf("%q has room for %d more bytes", e.Key, cap(e.Key)-len(e.Key))
		}
	}
	if len(entries) != len(want) {
		t.Errorf("%d entries", len(entries))
	}
}
