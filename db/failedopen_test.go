package db

import (
	"errors"
	"strings"
	"syscall"
	"testing"

	"go.uber.org/goleak"

	"siftdb/internal/fsys"
)

// crashedDisk is a disk as a killed process leaves it: tables at several levels, and a log with synced writes and
// others after them. It also says what the synced ones are.
func crashedDisk(t *testing.T) (*fsys.Mem, map[string]string) {
	t.Helper()
	disk := fsys.NewMem()
	store := openStore(t, disk)
	fill(t, store, 300, 100, "old")
	flush(t, store)
	fill(t, store, 50, 100, "new")
	quiet(t, store)
	check(t, store.Sync())
	synced := content(t, store)
	put(t, store, "unsynced")
	return disk.Clone(), synced
}

// TestOpenFailsAtEachStep fails each file operation of an Open after a crash once: wholly, in part, or after the fact.
// The error is that failure, no goroutine, no file and no lock is left (CON-06, LKG-02), and the next Open finds
// everything (IOE-05).
func TestOpenFailsAtEachStep(t *testing.T) {
	crashed, synced := crashedDisk(t)
	for _, mode := range []struct {
		name     string
		readOnly bool
		failure  error
	}{
		{"writing", false, syscall.EIO},
		{"writing, in part", false, &fsys.ShortWrite{N: 20, Err: syscall.EIO}},
		{"writing, after the fact", false, &fsys.Late{Err: syscall.EIO}},
		{"read-only", true, syscall.EIO},
	} {
		t.Run(mode.name, func(t *testing.T) {
			failed := 0
			for n := int64(1); ; n++ {
				hook := fsys.FailNth(n, mode.failure)
				opened, err := openWithFailure(t, crashed.Clone(), hook, mode.readOnly, synced)
				if opened > 0 && opened < n {
					break
				}
				if err != nil {
					failed++
				}
			}
			if failed < 5 {
				t.Errorf("only %d failures made Open fail", failed)
			}
		})
	}
}

// openWithFailure opens the store while an operation fails, then without a failure. It returns the number of
// operations of the first Open, 0 if that failed, and its error.
func openWithFailure(
	t *testing.T, disk *fsys.Mem, hook fsys.Hook, readOnly bool, synced map[string]string,
) (opened int64, first error) {
	t.Helper()
	base := goleak.IgnoreCurrent()
	fault := fsys.NewFault(disk)
	fault.SetHook(hook)
	counting := &handles{FS: fault}
	o := small(counting)
	o.ReadOnly = readOnly
	store, first := Open("store", o)
	if first == nil {
		opened = fault.Calls()
		fault.SetHook(nil) // what fails after Open is another matter
		check(t, store.Close())
	} else if !errors.Is(first, syscall.EIO) || !strings.HasPrefix(first.Error(), "siftdb: ") {
		t.Errorf("Open: %v", first)
	}
	if err := goleak.Find(base); err != nil || counting.open.Load() != 0 {
		t.Fatalf("after %v: %d files are open, %v", first, counting.open.Load(), err)
	}
	fault.SetHook(nil)
	o.ReadOnly = false
	store, err := Open("store", o)
	if err != nil {
		t.Fatalf("after %v: %v", first, err)
	}
	defer store.Close()
	now := content(t, store)
	for k, v := range synced {
		if now[k] != v {
			t.Fatalf("after %v: %q is %q, want %q", first, k, now[k], v)
		}
	}
	return opened, first
}

// TestOpenFailsForGood lets every operation from the n-th on fail, which the clean-up must bear too.
func TestOpenFailsForGood(t *testing.T) {
	crashed, synced := crashedDisk(t)
	for n := int64(1); ; n++ {
		disk := crashed.Clone()
		fault := fsys.NewFault(disk)
		fault.SetHook(fsys.FailFrom(n, syscall.ENOSPC))
		base := goleak.IgnoreCurrent()
		store, first := Open("store", small(fault))
		if first == nil {
			fault.SetHook(nil)
			check(t, store.Close())
			break
		}
		if err := goleak.Find(base); err != nil {
			t.Fatalf("operation %d on failed, %v: %v", n, first, err)
		}
		if _, err := openWithFailure(t, disk, nil, false, synced); err != nil {
			t.Fatalf("operation %d on failed, %v; then %v", n, first, err)
		}
	}
}
