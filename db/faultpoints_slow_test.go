package db

import (
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"siftdb/internal/fsys"
)

// TestSlowDisk: on a disk where each operation of a kind takes an hour, only those wait for it who asked for it. The
// hours are told by a clock that runs when nobody can go on.
func TestSlowDisk(t *testing.T) {
	for name, test := range map[string]func(t *testing.T, store *DB, fault *fsys.Fault){
		"syncs": slowSync, "tables": slowFlush,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				fault := fsys.NewFault(fsys.NewMem())
				store, err := Open("store", small(fault))
				check(t, err)
				put(t, store, "a")
				test(t, store, fault)
				fault.SetHook(nil)
				check(t, store.Close())
			})
		})
	}
}

// hours is how long a call takes.
func hours(call func()) float64 {
	start := time.Now()
	call()
	return time.Since(start).Hours()
}

// slowSync: reads and unsynced writes take no time beside a sync, and ten writers that want one share two at most.
func slowSync(t *testing.T, store *DB, fault *fsys.Fault) {
	fault.SetHook(fsys.Slow(time.Hour, fsys.OpSync))
	var syncing sync.WaitGroup
	took := hours(func() {
		for range 10 {
			syncing.Go(func() {
				if err := store.Put([]byte("synced"), nil); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		if took := hours(func() { wantValue(t, store, "a", "a") }); took != 0 {
			t.Errorf("a read took %v hours", took)
		}
		syncing.Wait()
	})
	if took < 1 || took > 2.01 {
		t.Errorf("ten synced writes took %v hours", took)
	}
	if took := hours(func() { put(t, store, "b") }); took != 0 {
		t.Errorf("an unsynced write took %v hours", took)
	}
}

// slowFlush: while a flush takes hours, reads and writes go on, until there are too many memtables.
func slowFlush(t *testing.T, store *DB, fault *fsys.Fault) {
	pause := fsys.Slow(time.Hour)
	fault.SetHook(func(op fsys.Op, name string) error {
		if strings.HasSuffix(name, ".sst") {
			return pause(op, name)
		}
		return nil
	})
	before := store.Metrics().MemTables
	took := hours(func() {
		for store.Metrics().MemTables < before+maxFrozen {
			fill(t, store, 10, 100, "")
		}
		wantValue(t, store, "a", "a")
	})
	if took != 0 {
		t.Errorf("writes beside a slow flush took %v hours", took)
	}
	if took := hours(func() { fill(t, store, 200, 100, "") }); took < 1 {
		t.Errorf("with all memtables full, writes took %v hours", took)
	}
	if store.Metrics().Stops == 0 {
		t.Error("nobody was stopped")
	}
}
