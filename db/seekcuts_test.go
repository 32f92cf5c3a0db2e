package db

import (
	"context"
	"fmt"
	"testing"

	"siftdb/internal/fsys"
)

// TestSeeksAtTheCutsOfTables: wherever runs of tables are cut between keys of one prefix, seeks in both directions find
// the neighbours, across the cut. No filter is asked by them: what a filter knows is whole keys (FLT-04).
func TestSeeksAtTheCutsOfTables(t *testing.T) {
	keys := []string{"ab", "ab1", "abc", "abcc", "abd", "b", "d1", "d1x", "d2"}
	for cut := range len(keys) + 1 {
		for _, levels := range []string{"one level", "two levels"} {
			t.Run(fmt.Sprintf("%d, %s", cut, levels), func(t *testing.T) {
				store := openStore(t, fsys.NewMem(), func(o *Options) { o.NoCompaction = true })
				put(t, store, keys[:cut]...)
				flush(t, store)
				if levels == "two levels" {
					check(t, store.Compact(context.Background(), Range{}))
				}
				put(t, store, keys[cut:]...)
				flush(t, store)
				check(t, store.LoadFilters(context.Background()))
				seekEverywhere(t, store, keys)
				if m := store.Metrics(); m.Filter.Checks != 0 {
					t.Errorf("seeks asked filters %d times", m.Filter.Checks)
				}
			})
		}
	}
}

// seekEverywhere seeks to each key and to places about it, and turns round there.
func seekEverywhere(t *testing.T, store *DB, keys []string) {
	t.Helper()
	m := newModel()
	for _, k := range keys {
		m.now[k] = k
	}
	targets := []string{"", "a", "z"}
	for _, k := range keys {
		targets = append(targets, k, k+"\x00", k[:len(k)-1], k+"c")
	}
	it := store.NewIter(Range{})
	defer it.Close()
	for _, target := range targets {
		for _, c := range []struct {
			what string
			got  func() bool
			want func(c *cursor) bool
		}{
			{"SeekGE", func() bool { return it.SeekGE([]byte(target)) }, func(c *cursor) bool { return c.seekGE(target) }},
			{"SeekGE, Prev", func() bool { it.SeekGE([]byte(target)); return it.Prev() },
				func(c *cursor) bool { c.seekGE(target); return c.prev() }},
			{"SeekLT", func() bool { return it.SeekLT([]byte(target)) }, func(c *cursor) bool { return c.seekLT(target) }},
			{"SeekLT, Next", func() bool { it.SeekLT([]byte(target)); return it.Next() },
				func(c *cursor) bool { c.seekLT(target); return c.next() }},
		} {
			want := m.cursor(Range{})
			there := c.want(want)
			if got := c.got(); got != there || there && string(it.Key()) != want.key() {
				t.Errorf("%s of %q: %v at %q, want %v", c.what, target, got, it.Key(), there)
			}
		}
	}
}
