package db

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"siftdb/internal/fsys"
)

// TestTablesRetireWhileFilesClose lets a view go, and with it tables, while Close shuts the files of all tables, and after
// others have gone that nobody has cleaned up: each file is shut.
func TestTablesRetireWhileFilesClose(t *testing.T) {
	files := &handles{FS: fsys.NewMem()}
	fault := fsys.NewFault(files)
	store := openStore(t, fault, func(o *Options) { o.NoCompaction = true })
	for i := range 8 {
		put(t, store, fmt.Sprint("key ", i))
		flush(t, store)
	}
	it := store.NewIter(Range{})
	for ok := it.First(); ok; ok = it.Next() {
	}
	check(t, store.Compact(context.Background(), Range{}))
	put(t, store, "last")
	flush(t, store)
	_, err := pairs(t, store, Range{}) // opens the new tables too
	check(t, err)

	var shut atomic.Int64
	fault.SetHook(func(op fsys.Op, path string) error {
		switch {
		case op == fsys.OpClose && strings.HasSuffix(path, ".wal"): // the cleaner has ended
			store.mu.Lock()
			store.obsolete = append(make([]*table, 0, 64), store.obsolete...)
			store.mu.Unlock()
		case op == fsys.OpClose && strings.HasSuffix(path, ".sst"):
			if shut.Add(1) == 5 { // half of the list is dealt with
				it.Close()
			}
		}
		return nil
	})
	store.Close() // says that an iterator was open
	fault.SetHook(nil)
	if n := files.open.Load(); n != 0 {
		t.Errorf("%d files are open after Close", n)
	}
}
