package db

import (
	"context"
	"fmt"
	"testing"

	"siftdb/bloom"
	"siftdb/internal/key"
)

// keySeq is an entry: a key and its sequence number.
type keySeq struct {
	key string
	seq key.Seq
}

// tableOfKeys builds a table that is in no version of the store.
func tableOfKeys(t *testing.T, store *DB, entries []keySeq) *table {
	t.Helper()
	b := store.newBuilder(bloom.Place{})
	for _, e := range entries {
		check(t, b.Add(key.Make([]byte(e.key), e.seq, key.KindSet), nil))
	}
	check(t, b.Cut(context.Background()))
	built, err := b.finish()
	check(t, err)
	return store.newTable(built[0])
}

// multiples are a thousand keys, each so many beyond the one before, and a little younger.
func multiples(step int) (entries []keySeq) {
	for i := range 1000 {
		entries = append(entries, keySeq{fmt.Sprintf("key%06d", i*step), key.Seq(i + 1)})
	}
	return entries
}

// TestAges compares tables whose sequence numbers do not settle which is the newer.
func TestAges(t *testing.T) {
	for _, c := range []struct {
		what string
		a, b []keySeq
		want age
	}{
		{"apart", []keySeq{{"a", 1}, {"c", 9}}, []keySeq{{"d", 3}, {"e", 5}}, unrelated},
		{"no key in both", []keySeq{{"a", 1}, {"c", 9}}, []keySeq{{"b", 3}, {"d", 5}}, unrelated},
		{"newer throughout", []keySeq{{"a", 7}, {"c", 9}}, []keySeq{{"b", 3}, {"c", 5}}, newer},
		{"older throughout", []keySeq{{"a", 1}, {"c", 2}}, []keySeq{{"b", 3}, {"c", 5}}, older},
		{"newer in what they share", []keySeq{{"a", 1}, {"c", 9}}, []keySeq{{"b", 3}, {"c", 5}}, newer},
		{"older in what they share", []keySeq{{"a", 9}, {"c", 1}}, []keySeq{{"b", 3}, {"c", 5}}, older},
		{"both", []keySeq{{"a", 9}, {"c", 1}}, []keySeq{{"a", 3}, {"c", 5}}, mixed},
		{"between versions", []keySeq{{"a", 5}}, []keySeq{{"a", 9}, {"a", 1}}, mixed},
		{"the same", []keySeq{{"a", 5}, {"b", 6}}, []keySeq{{"a", 5}, {"c", 1}}, unrelated},
		{"the same and newer", []keySeq{{"a", 5}, {"b", 6}}, []keySeq{{"a", 5}, {"b", 1}}, newer},
		{"the same and older versions", []keySeq{{"a", 5}}, []keySeq{{"a", 5}, {"a", 1}}, newer},
		{"without an age, built first", []keySeq{{"a", 0}}, []keySeq{{"a", 0}}, older},
		{"without an age", []keySeq{{"a", 0}, {"b", 4}}, []keySeq{{"b", 0}, {"c", 9}}, newer},
		{"many", multiples(2), multiples(3), newer},
	} {
		store := memStore(t, func(o *Options) { o.NoCompaction = true })
		var tables [2]*table
		for i, entries := range [2][]keySeq{c.a, c.b} {
			tables[i] = tableOfKeys(t, store, entries)
		}
		found, err := store.agesOf(context.Background(), tables[0], tables[1])
		if err != nil || found.age != c.want {
			t.Errorf("%s: %d %v, %v, want %d", c.what, found.age, found, err, c.want)
		}
		for _, table := range tables {
			check(t, store.tables.forget(table))
		}
		check(t, store.Close())
	}
}
