package db

import (
	"context"
	"fmt"
	"testing"

	"siftdb/internal/fsys"
)

// manyDeleted is a store of n keys that were deleted again, before the key "last". All of it is flushed.
func manyDeleted(t *testing.T, n int, change ...func(o *Options)) *DB {
	t.Helper()
	store := memStore(t, change...)
	fill(t, store, n, 20, "")
	flush(t, store)
	for i := range n {
		check(t, store.Delete(fmt.Appendf(nil, "key%06d", i), NoSync))
	}
	put(t, store, "last")
	flush(t, store)
	return store
}

// passedBy is how many deletions a move of a new iterator steps over, and whether it is at a key then.
func passedBy(t *testing.T, store *DB, r Range, step func(it *Iterator) bool) (passed int64, there bool) {
	t.Helper()
	before := store.Metrics()
	it := store.NewIter(r)
	there = step(it)
	check(t, it.Close())
	return store.Metrics().Sub(before).DeletionsPassed, there
}

// TestSeeksOverDeletions: a seek steps over the deletions on its way, which are counted, but never past its bound; and
// compaction takes them away by itself, so that the next seeks find none (ITR-01).
func TestSeeksOverDeletions(t *testing.T) {
	n := 20_000
	if testing.Short() {
		n = 2_000
	}
	store := manyDeleted(t, n, func(o *Options) { o.NoCompaction = true })
	if passed, there := passedBy(t, store, Range{}, (*Iterator).First); passed != int64(n) || !there {
		t.Errorf("First passes %d deletions, at a key: %v", passed, there)
	}
	if passed, there := passedBy(t, store, Range{Upper: []byte("last")}, (*Iterator).Last); passed != int64(n) || there {
		t.Errorf("Last passes %d deletions, at a key: %v", passed, there)
	}
	const within = 50
	bounds := Range{Lower: []byte("key000000"), Upper: fmt.Appendf(nil, "key%06d", within)}
	for name, step := range map[string]func(it *Iterator) bool{"First": (*Iterator).First, "Last": (*Iterator).Last} {
		if passed, there := passedBy(t, store, bounds, step); passed != within || there {
			t.Errorf("%s within bounds passes %d deletions, at a key: %v", name, passed, there)
		}
	}

	store = manyDeleted(t, n)
	quiet(t, store)
	if passed, there := passedBy(t, store, Range{}, (*Iterator).First); passed > int64(n/100) || !there {
		t.Errorf("after the compactions that are due, First passes %d deletions, at a key: %v", passed, there)
	}
}

// TestHalfDeletedHalfTheDisk: after a compaction what is deleted takes no room, up to a fraction of what is left
// (LKG-04).
func TestHalfDeletedHalfTheDisk(t *testing.T) {
	disk := fsys.NewMem()
	store := openStore(t, disk, func(o *Options) { o.Compression = NoCompression })
	const n, size = 4000, 500
	fill(t, store, n, size, "")
	for i := 0; i < n; i += 2 {
		check(t, store.Delete(fmt.Appendf(nil, "key%06d", i), NoSync))
	}
	check(t, store.Compact(context.Background(), Range{}))
	quiet(t, store)
	if live, used := int64(n/2*(size+9)), disk.Used(); used > live*13/10 {
		t.Errorf("%d bytes on disk for %d bytes of keys and values", used, live)
	}
	for i := 0; i < n; i += 2 {
		check(t, store.Delete(fmt.Appendf(nil, "key%06d", i+1), NoSync))
	}
	check(t, store.Compact(context.Background(), Range{}))
	quiet(t, store)
	if used := disk.Used(); used > n*size/20 {
		t.Errorf("%d bytes on disk for nothing", used)
	}
}
