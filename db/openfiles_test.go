package db

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"siftdb/internal/fsys"
)

// TestNoMoreFilesDuringACompaction has each file that a compaction opens or makes be one too many for the process,
// once: the step fails cleanly, with that cause, nothing is lost, and the next one works (IOE-04).
func TestNoMoreFilesDuringACompaction(t *testing.T) {
	prepared := fsys.NewMem()
	store := openStore(t, prepared, func(o *Options) { o.NoCompaction = true })
	for round := range 3 {
		fill(t, store, 120, 100, fmt.Sprint(round))
		flush(t, store)
	}
	want := content(t, store)
	check(t, store.Close())
	for n := int64(1); ; n++ {
		disk := prepared.Clone()
		fault := fsys.NewFault(disk)
		store := openStore(t, fault, func(o *Options) { o.NoCompaction, o.OpenTables = true, 2 })
		var files atomic.Int64
		fault.SetHook(func(op fsys.Op, name string) error {
			if (op == fsys.OpOpen || op == fsys.OpCreate) && strings.HasSuffix(name, ".sst") && files.Add(1) == n {
				return syscall.EMFILE
			}
			return nil
		})
		err := store.Compact(context.Background(), Range{})
		fault.SetHook(nil)
		if err != nil {
			wantErr(t, fmt.Sprintf("file %d", n), err, syscall.EMFILE)
		}
		if got := content(t, store); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("file %d: %d keys, want %d", n, len(got), len(want))
		}
		check(t, store.Compact(context.Background(), Range{}))
		check(t, lastOf(store.Verify(context.Background())))
		quiet(t, store)
		if found := len(tableFilesOn(t, disk)); found != len(tablesOf(store)) {
			t.Errorf("file %d: %d table files for %d tables", n, found, len(tablesOf(store)))
		}
		check(t, store.Close())
		if files.Load() < n {
			if n < 5 {
				t.Errorf("only %d files: the test is too weak", n)
			}
			return
		}
	}
}

func tableFilesOn(t *testing.T, disk FS) []string { return files(t, disk, "store", withSuffix(".sst")) }
