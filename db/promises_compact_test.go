package db

import (
	"context"
	"fmt"
	"testing"

	"siftdb/internal/manifest"
)

// promiseCompact: it includes the memtable, and the zero Range rewrites the last level too.
func promiseCompact(t *testing.T) {
	t.Run("includes the memtable", func(t *testing.T) {
		store := memStore(t)
		put(t, store, "a", "b")
		check(t, store.Compact(context.Background(), Range{}))
		onlyLastLevel(t, store, 2)
	})
	t.Run("old versions of closed views go", func(t *testing.T) {
		store := memStore(t)
		snapshot := store.Snapshot()
		var snapshots []*Snapshot
		for round := range 4 {
			fill(t, store, 100, 50, fmt.Sprint(round))
			snapshots = append(snapshots, store.Snapshot())
		}
		check(t, store.Compact(context.Background(), Range{}))
		onlyLastLevel(t, store, 400)
		for round, s := range snapshots {
			wantValue(t, s, "key000050", string(filled("key000050", 50, fmt.Sprint(round))))
			check(t, s.Close())
		}
		wantMiss(t, snapshot, "key000050")
		check(t, snapshot.Close())
		check(t, store.Compact(context.Background(), Range{}))
		onlyLastLevel(t, store, 100)
	})
	t.Run("deleted data goes", func(t *testing.T) { // CMP-01, LKG-04
		store := memStore(t)
		fill(t, store, 500, 100, "")
		for range 3 {
			check(t, store.Compact(context.Background(), Range{}))
		}
		for e, err := range store.Scan(Range{}) {
			check(t, err)
			check(t, store.Delete(e.Key, NoSync))
		}
		for range 2 {
			check(t, store.Compact(context.Background(), Range{}))
			onlyLastLevel(t, store, 0)
			eventually(t, "table files gone", func() bool {
				return len(files(t, store.fs, "store", withSuffix(".sst"))) == 0
			})
		}
		if n := len(keysOf(t, store, Range{})); n != 0 {
			t.Errorf("%d keys", n)
		}
	})
	t.Run("of a range leaves the rest", compactOfRange)
	t.Run("with an empty store", func(t *testing.T) {
		store := memStore(t)
		for range 2 {
			check(t, store.Compact(context.Background(), Range{}))
			flush(t, store)
		}
		if m := store.Metrics(); m.DiskBytes > 10<<10 || m.Flushes != 0 {
			t.Errorf("%d bytes after %d flushes", m.DiskBytes, m.Flushes)
		}
	})
}

// onlyLastLevel checks that all entries, so many, are in the last level.
func onlyLastLevel(t *testing.T, store *DB, entries int64) {
	t.Helper()
	for _, l := range store.Metrics().Levels {
		want := int64(0)
		if l.Level == manifest.NumLevels-1 {
			want = entries
		}
		if l.Entries != want || l.Tables > 0 && want == 0 {
			t.Errorf("level %d has %d entries in %d tables, want %d", l.Level, l.Entries, l.Tables, want)
		}
	}
}

func compactOfRange(t *testing.T) {
	store := memStore(t, func(o *Options) { o.NoCompaction = true; o.MemTableSize = 1 << 20 })
	for _, half := range []string{"a", "b"} {
		for i := range 200 {
			put(t, store, fmt.Sprintf("%s%03d", half, i))
		}
		flush(t, store)
	}
	check(t, store.Compact(context.Background(), Prefix([]byte("b"))))
	levels := store.Metrics().Levels
	if levels[0].Tables != 1 || levels[0].Entries != 200 || levels[manifest.NumLevels-1].Entries != 200 {
		t.Errorf("level 0 has %d entries, the last %d", levels[0].Entries, levels[manifest.NumLevels-1].Entries)
	}
}
