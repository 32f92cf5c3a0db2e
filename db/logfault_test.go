package db

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"siftdb/internal/fsys"
	"siftdb/wal"
)

// onLog limits a hook to log segments.
func onLog(hook fsys.Hook) fsys.Hook {
	return func(op fsys.Op, name string) error {
		if !strings.HasSuffix(name, ".wal") {
			return nil
		}
		return hook(op, name)
	}
}

// TestFailedSyncOfTheLog: the write that was being synced is undetermined, every later one is refused, reads and
// iterators go on, and so it stays until the store is opened again (IOE-03). What had been acknowledged is there
// then, whatever became of the bytes that were not synced.
func TestFailedSyncOfTheLog(t *testing.T) {
	for _, forget := range []bool{false, true} {
		t.Run(fmt.Sprintf("forgets the bytes %v", forget), func(t *testing.T) {
			disk := fsys.NewMem()
			fault := fsys.NewFault(disk)
			store := openStore(t, fault)
			check(t, store.Put([]byte("a"), []byte("kept")))
			segment := filepath.Join("store", wal.Name(store.log.Number()))
			fault.SetHook(onLog(fsys.FailNth(1, syscall.EIO, fsys.OpSync)))
			err := store.Put([]byte("b"), []byte("perhaps"))
			wantErr(t, "the write", err, ErrUndetermined)
			wantErr(t, "the write", err, syscall.EIO)
			if errors.Is(err, ErrRefused) {
				t.Errorf("a write whose outcome is not known was not refused: %v", err)
			}
			if forget {
				check(t, disk.ForgetUnsynced(segment))
			}
			fault.SetHook(nil)
			for _, again := range []error{
				store.Put([]byte("c"), nil), store.Put([]byte("c"), nil, NoSync), store.Delete([]byte("a")), store.Sync(),
			} {
				wantErr(t, "after it", again, ErrRefused)
				wantErr(t, "after it", again, syscall.EIO)
				if errors.Is(again, ErrUndetermined) {
					t.Errorf("a refused write did not happen, which is not undetermined: %v", again)
				}
			}
			wantValue(t, store, "a", "kept")
			if got := keysOf(t, store, Range{}); got[0] != "a" {
				t.Errorf("a scan gives %q", got)
			}
			wantErr(t, "Close", store.Close(), syscall.EIO)

			reopened := openStore(t, disk.CrashClone(nil))
			now := content(t, reopened)
			if now["a"] != "kept" || now["b"] != "" && now["b"] != "perhaps" || len(now) > 2 {
				t.Errorf("reopened: %q", now)
			}
			check(t, reopened.Put([]byte("c"), nil))
		})
	}
}

// TestWriteThatFailedAfterAll: the disk took the whole record and reported an error all the same. The write is
// undetermined, and what it settles to is the same in memory and, later, on disk; the sequence numbers that it
// took are not given out twice.
func TestWriteThatFailedAfterAll(t *testing.T) {
	disk := fsys.NewMem()
	fault := fsys.NewFault(disk)
	store := openStore(t, fault)
	check(t, store.Put([]byte("a"), []byte("1")))
	fault.SetHook(onLog(fsys.FailNth(1, &fsys.ShortWrite{N: 1 << 20, Err: syscall.EIO}, fsys.OpWriteAt)))
	wantErr(t, "the write", store.Put([]byte("b"), []byte("2")), ErrUndetermined)
	check(t, store.Put([]byte("c"), []byte("3")))
	before := content(t, store)
	if before["a"] != "1" || before["c"] != "3" {
		t.Fatalf("before: %q", before)
	}
	after := content(t, openStore(t, disk.CrashClone(nil)))
	if fmt.Sprint(before) != fmt.Sprint(after) {
		t.Errorf("before the crash %q, after it %q", before, after)
	}
}
