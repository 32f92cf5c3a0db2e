package db

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"syscall"
	"testing"

	"siftdb/internal/fsys"
)

// TestFilesHeldForAMoment has each rename and each removal refused three times, as when a scanner holds the file: calls
// give that error at the worst, the store goes on, and at the latest the next open leaves nothing behind (PLT-03).
func TestFilesHeldForAMoment(t *testing.T) {
	disk := fsys.NewMem()
	fault := fsys.NewFault(disk)
	fault.SetHook(refuseThrice())
	var store *DB
	for try := range 4 { // the first Open renames
		opened, err := Open("store", small(fault))
		if err == nil {
			store = opened
			break
		}
		wantErr(t, fmt.Sprintf("Open, try %d", try), err, syscall.EACCES)
	}
	if store == nil {
		t.Fatal("the store does not open")
	}
	for round := range 5 {
		fill(t, store, 300, 100, fmt.Sprint(round))
		check(t, store.Compact(context.Background(), Range{}))
	}
	want := content(t, store)
	check(t, store.Close())
	fault.SetHook(nil)
	store = openStore(t, fault)
	if got := content(t, store); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%d keys, want %d", len(got), len(want))
	}
	quiet(t, store)
	if found, named := tableFilesOn(t, disk), tablesOf(store); len(found) != len(named) {
		t.Errorf("table files %v for %d tables", found, len(named))
	}
	if found := files(t, disk, "store", withSuffix(fsys.TempSuffix)); len(found) != 0 {
		t.Errorf("leftovers %v", found)
	}
	check(t, store.Close())
}

// refuseThrice refuses the first three renames to each name, and the first three removals of it.
func refuseThrice() fsys.Hook {
	var mu sync.Mutex
	times := make(map[string]int)
	return func(op fsys.Op, name string) error {
		if op != fsys.OpRename && op != fsys.OpRemove || strings.HasSuffix(name, fsys.TempSuffix) {
			return nil
		}
		mu.Lock()
		defer mu.Unlock()
		what := fmt.Sprint(op, name)
		if times[what]++; times[what] <= 3 {
			return syscall.EACCES
		}
		return nil
	}
}
