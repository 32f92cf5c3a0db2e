package db

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"siftdb/internal/fsys"
)

// TestOpenAndCloseLeaveNothing opens and closes a store many times: no goroutine and no file stays open (LKG-02).
func TestOpenAndCloseLeaveNothing(t *testing.T) {
	rounds := 300
	if testing.Short() {
		rounds = 30
	}
	base := goleak.IgnoreCurrent()
	counting := &handles{FS: fsys.NewMem()}
	for round := range rounds {
		store := openStore(t, counting)
		fill(t, store, 20, 100, fmt.Sprint(round))
		if round%3 == 0 {
			flush(t, store)
		}
		wantValue(t, store, "key000010", string(filled("key000010", 100, fmt.Sprint(round))))
		if round%5 == 0 {
			store.NewIter(Range{}).First()
			store.Snapshot()
		}
		if err := store.Close(); (err != nil) != (round%5 == 0) {
			t.Fatal(err)
		}
		if n := counting.open.Load(); n != 0 {
			t.Fatalf("round %d: %d files are open after Close", round, n)
		}
	}
	if err := goleak.Find(base); err != nil {
		t.Error(err)
	}
	if n := len(files(t, counting, "store", nil)); n > 20 {
		t.Errorf("%d files in the directory", n)
	}
}

// TestDescriptorsOfTheSystem does the same on the system's files.
func TestDescriptorsOfTheSystem(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("descriptors are counted in /proc")
	}
	descriptors := func() int {
		names, err := os.ReadDir("/proc/self/fd")
		check(t, err)
		return len(names)
	}
	dir := filepath.Join(t.TempDir(), "store")
	store, err := Open(dir, nil)
	check(t, err)
	check(t, store.Close())
	base := descriptors()
	for range 10 {
		store, err := Open(dir, nil)
		check(t, err)
		put(t, store, "a")
		check(t, store.Compact(context.Background(), Range{}))
		if _, err := Open(dir, nil); err == nil {
			t.Fatal("opened twice")
		}
		check(t, store.Close())
	}
	if now := descriptors(); now > base {
		t.Errorf("%d descriptors, %d at first", now, base)
	}
}

// handles counts open files, and the most there were of one time.
type handles struct {
	FS
	open, most atomic.Int64
}

func (h *handles) Create(name string) (File, error) { return h.opened(h.FS.Create(name)) }
func (h *handles) Open(name string) (File, error)   { return h.opened(h.FS.Open(name)) }

func (h *handles) opened(f File, err error) (File, error) {
	if err != nil {
		return nil, err
	}
	for n := h.open.Add(1); ; {
		most := h.most.Load()
		if n <= most || h.most.CompareAndSwap(most, n) {
			return &handle{File: f, of: h}, nil
		}
	}
}

type handle struct {
	File
	of *handles
}

func (h *handle) Close() error {
	h.of.open.Add(-1)
	return h.File.Close()
}

// TestOpenTablesIsKept: one handle a table, and no more of them than the limit and a few, also while all of them
// are scanned and compacted (LKG-03).
func TestOpenTablesIsKept(t *testing.T) {
	const tables, limit = 300, 10
	counting := &handles{FS: fsys.NewMem()}
	store := openStore(t, counting, func(o *Options) {
		o.NoCompaction, o.OpenTables, o.Workers = true, limit, 1
	})
	for i := range tables {
		for j := range 5 {
			put(t, store, fmt.Sprintf("%d.%03d", j, i))
		}
		flush(t, store)
	}
	check(t, store.Sync()) // the log has finished its old segments
	counting.most.Store(0)
	for i := range tables {
		wantValue(t, store, fmt.Sprintf("3.%03d", i*7%tables), fmt.Sprintf("3.%03d", i*7%tables))
	}
	if n := len(keysOf(t, store, Range{})); n != 5*tables {
		t.Errorf("%d keys", n)
	}
	for _, err := range store.Verify(context.Background()) {
		check(t, err)
	}
	check(t, store.Compact(context.Background(), Range{}))
	const besides = 6 // log, manifest, one being opened, outputs
	if most := counting.most.Load(); most > limit+besides {
		t.Errorf("%d files were open at one time", most)
	}
	if m := store.Metrics(); m.OpenTables > limit {
		t.Errorf("%d tables are open", m.OpenTables)
	}
	check(t, store.Close())
	if n := counting.open.Load(); n != 0 {
		t.Errorf("%d files are open after Close", n)
	}
}
