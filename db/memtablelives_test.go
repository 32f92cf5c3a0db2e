package db

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"siftdb/internal/fsys"
)

// TestReadsKeepTheirMemTables: what an iterator is at, and what GetFunc lends, stays as it is while later memtables
// come and go, which use the memory of those before them. The race detector's builds overwrite memory that is given
// up.
func TestReadsKeepTheirMemTables(t *testing.T) {
	store := memStore(t)
	churn := func(round string) {
		for range 3 {
			fill(t, store, 300, 100, round)
			flush(t, store)
		}
	}
	for round := range 3 {
		fill(t, store, 300, 100, "first")
		it := store.NewIter(Range{})
		it.First()
		want := filled("key000000", 100, "first")
		check(t, store.GetFunc([]byte("key000007"), func(value []byte) error {
			churn(fmt.Sprint(round))
			if want := filled("key000007", 100, "first"); string(value) != string(want) {
				t.Errorf("round %d: GetFunc lent %q, which became %q", round, want, value)
			}
			return nil
		}))
		if string(it.Key()) != "key000000" || string(it.Value()) != string(want) {
			t.Errorf("round %d: an iterator is at %q, %q", round, it.Key(), it.Value())
		}
		n := 0
		for ok := it.First(); ok; ok = it.Next() {
			key := fmt.Sprintf("key%06d", n)
			if string(it.Key()) != key || string(it.Value()) != string(filled(key, 100, "first")) {
				t.Fatalf("round %d: entry %d is %q, %q", round, n, it.Key(), it.Value())
			}
			n++
		}
		if n != 300 {
			t.Errorf("round %d: %d entries", round, n)
		}
		check(t, it.Close())
	}
	check(t, store.Close())
}

// TestMemoryOfMemTablesIsGivenBack: a store without writes keeps nothing for memtables to come, and a closed one nothing
// at all, whether it was open for long or could not be opened.
func TestMemoryOfMemTablesIsGivenBack(t *testing.T) {
	dir := t.TempDir()
	opts := &Options{MemTableSize: 2 << 20, NoSync: true}
	store, err := Open(dir, opts)
	check(t, err)
	fill(t, store, 30_000, 200, "once")
	if got := store.Metrics().OffHeapBytes; got > 3*opts.MemTableSize+opts.MemTableSize/2 {
		t.Errorf("%d bytes outside the heap for memtables of %d", got, opts.MemTableSize)
	}
	flush(t, store)
	eventually(t, "memory given back", func() bool { return store.Metrics().OffHeapBytes == 0 })
	fill(t, store, 5_000, 200, "again")
	it := store.NewIter(Range{})
	it.First()
	if err := store.Close(); err == nil {
		t.Error("Close says nothing of an iterator")
	}
	want := filled("key000000", 200, "again")
	if string(it.Value()) != string(want) {
		t.Errorf("after Close an iterator is at %q", it.Value())
	}
	it.Close()
	if got := store.memory.Mapped(); got != 0 {
		t.Errorf("%d bytes outside the heap after the last reader", got)
	}
	store, err = Open(dir, &Options{MemTableSize: 2 << 20, ReadOnly: true})
	check(t, err)
	check(t, store.Close())
	if got := store.memory.Mapped(); got != 0 {
		t.Errorf("%d bytes outside the heap after Close", got)
	}
}

// TestWorkOnTablesLetsMemTablesGo: what takes long and looks at tables alone does not keep the memory of memtables that
// are flushed meanwhile.
func TestWorkOnTablesLetsMemTablesGo(t *testing.T) {
	disk := &heldTable{FS: fsys.NewMem(), began: make(chan struct{}), goOn: make(chan struct{})}
	store := openStore(t, disk, func(o *Options) { o.MemTableSize, o.NoCompaction = 2<<20, true })
	for _, round := range []string{"first", "second"} {
		fill(t, store, 3000, 200, round)
		if got := store.Metrics().OffHeapBytes; got == 0 {
			t.Skip("memtables are on the heap here")
		}
		flush(t, store)
	}
	flushBeside := func(store *DB, what string) {
		fill(t, store, 3000, 200, what)
		flush(t, store)
		eventually(t, "memory given back beside "+what, func() bool { return store.Metrics().OffHeapBytes == 0 })
	}
	t.Run("verifying", func(t *testing.T) {
		for _, err := range store.Verify(t.Context()) {
			check(t, err)
			flushBeside(store, "Verify")
		}
	})
	t.Run("compacting", func(t *testing.T) {
		disk.armed.Store(true)
		done := make(chan error)
		go func() { done <- store.Compact(t.Context(), Range{}) }()
		<-disk.began
		flushBeside(store, "a compaction")
		close(disk.goOn)
		check(t, <-done)
	})
	t.Run("loading filters", func(t *testing.T) {
		disk, filters := manyTables(t, 2)
		slow := &gate{FS: disk, filters: filters, open: make(chan struct{})}
		store := openStore(t, slow, func(o *Options) { o.MemTableSize, o.NoCompaction = 2<<20, true })
		fill(t, store, 3000, 200, "before")
		wantValue(t, store, string(filterKey(0)), string(filterKey(0)[4:]))
		eventually(t, "a load", func() bool { return slow.waiting.Load() > 0 })
		flush(t, store)
		flushBeside(store, "a load")
		close(slow.open)
		loaded(t, store)
	})
}

// heldTable is a file system where the first table to be made after it was armed waits.
type heldTable struct {
	FS
	armed       atomic.Bool
	began, goOn chan struct{}
}

func (h *heldTable) Create(name string) (File, error) {
	if strings.HasSuffix(name, ".sst") && h.armed.CompareAndSwap(true, false) {
		close(h.began)
		<-h.goOn
	}
	return h.FS.Create(name)
}
