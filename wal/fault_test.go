package wal

import (
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"siftdb/internal/fsys"
)

// TestIOE02FullDiskAndRoomAgain fills the disk at every byte of a write: the calls say so, nothing that was taken
// is lost or doubled, and the log goes on by itself when there is room.
func TestIOE02FullDiskAndRoomAgain(t *testing.T) {
	for room := int64(0); room < 160; room++ {
		disk := newDisk(t)
		l := newLog(t, disk, 1)
		disk.SetRoom(HeaderSize + room)
		must(t, l.Append([]byte("taken")))
		var want []string
		for i := range 3 {
			switch err := l.AppendSync([]byte(strings.Repeat("x", 40))); {
			case err == nil:
				want = append(want, strings.Repeat("x", 40))
			case !errors.Is(err, syscall.ENOSPC) || errors.Is(err, ErrUndetermined):
				t.Fatalf("room for %d, call %d: %v", room, i, err)
			}
		}
		syncErr := l.Sync()
		disk.SetRoom(-1)
		if syncErr != nil && !errors.Is(syncErr, syscall.ENOSPC) {
			t.Fatal(syncErr)
		}
		must(t, l.AppendSync([]byte("room")))
		must(t, l.Append([]byte("again")))
		must(t, l.Close())
		want = append(append([]string{"taken"}, want...), "room", "again")
		groups, report, err := replayed(t, disk.CrashClone(nil))
		if err != nil || !slices.Equal(groups, want) || !report.Segments[0].CleanEnd {
			t.Fatalf("room for %d: replayed %q, want %q, %v", room, groups, want, err)
		}
	}
}

// A full disk that stays full lets the log be closed, which says what was lost; what was durable is there.
func TestCloseOnFullDisk(t *testing.T) {
	disk := newDisk(t)
	l := newLog(t, disk, 1)
	must(t, l.AppendSync([]byte("durable")))
	disk.SetRoom(disk.Used())
	must(t, l.Append([]byte("lost")))
	if err := l.Close(); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("closed with %v", err)
	}
	groups, report, err := replayed(t, disk)
	if err != nil || !slices.Equal(groups, []string{"durable"}) || report.Segments[0].CleanEnd {
		t.Errorf("replayed %q, %+v, %v", groups, report, err)
	}
}

// A single write that fails while the log is closed loses nothing, whichever it is: that of waiting groups or of the end
// record.
func TestCloseTriesOnceMore(t *testing.T) {
	for n := int64(1); n <= 2; n++ {
		disk := fsys.NewFault(newDisk(t))
		l := newLog(t, disk, 1)
		must(t, l.AppendSync([]byte("a")))
		failNth := fsys.FailNth(n, errDisk, fsys.OpWriteAt)
		hit := atomic.Bool{}
		disk.SetHook(func(op fsys.Op, name string) error {
			err := failNth(op, name)
			hit.CompareAndSwap(false, err != nil)
			return err
		})
		must(t, l.Append([]byte("b")))
		must(t, l.Close())
		groups, report, err := replayed(t, disk)
		if !hit.Load() || err != nil || !slices.Equal(groups, []string{"a", "b"}) || !report.Segments[0].CleanEnd {
			t.Errorf("write %d failed %v: replayed %q, %+v, %v", n, hit.Load(), groups, report, err)
		}
	}
}

// Append tells of a failed write of the past only after it has tried again.
func TestAppendTriesAgain(t *testing.T) {
	disk := newDisk(t)
	l := newLog(t, disk, 1)
	disk.SetRoom(disk.Used())
	must(t, l.Append([]byte("a")))
	if err := l.Sync(); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("synced with %v", err)
	}
	if err := l.Append([]byte("refused")); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("appended with %v", err)
	}
	if err := l.Append([]byte("refused")); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("appended with %v", err)
	}
	disk.SetRoom(-1)
	must(t, l.Append([]byte("b")))
	must(t, l.Close())
	if groups, _, err := replayed(t, disk); err != nil || !slices.Equal(groups, []string{"a", "b"}) {
		t.Errorf("replayed %q, %v", groups, err)
	}
}

// A group whose bytes all reached the file before its write failed cannot be taken back, and the error says so.
func TestUndeterminedWrite(t *testing.T) {
	disk := fsys.NewFault(newDisk(t))
	l := newLog(t, disk, 1)
	disk.SetHook(fsys.FailNth(1, &fsys.ShortWrite{N: 1 << 20, Err: errDisk}, fsys.OpWriteAt))
	if err := l.AppendSync([]byte("a")); !errors.Is(err, ErrUndetermined) || !errors.Is(err, errDisk) {
		t.Errorf("got %v", err)
	}
	must(t, l.AppendSync([]byte("b")))
	must(t, l.Close())
	if groups, _, err := replayed(t, disk); err != nil || !slices.Equal(groups, []string{"a", "b"}) {
		t.Errorf("replayed %q, %v", groups, err)
	}
}

// TestIOE03FailedSyncIsFinal loses what was written before a failed sync, as systems do: no later call succeeds,
// and no second sync of the file is tried.
func TestIOE03FailedSyncIsFinal(t *testing.T) {
	mem := newDisk(t)
	disk := fsys.NewFault(mem)
	l := newLog(t, disk, 1)
	must(t, l.AppendSync([]byte("durable")))
	var syncs atomic.Int64
	disk.SetHook(func(op fsys.Op, name string) error {
		if op != fsys.OpSync {
			return nil
		}
		if syncs.Add(1) > 1 {
			t.Error("synced again")
		}
		return errors.Join(errDisk, mem.ForgetUnsynced(name))
	})
	err := l.AppendSync([]byte("who knows"))
	if !errors.Is(err, ErrUndetermined) || !errors.Is(err, ErrSyncFailed) || !errors.Is(err, errDisk) {
		t.Errorf("the call it hit: %v", err)
	}
	for what, err := range map[string]error{
		"Append": l.Append([]byte("no")), "AppendSync": l.AppendSync([]byte("no")), "Sync": l.Sync(), "Rotate": l.Rotate(2, 0), "Close": l.Close(),
	} {
		if !errors.Is(err, ErrSyncFailed) || !errors.Is(err, errDisk) || errors.Is(err, ErrUndetermined) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if groups, _, err := replayed(t, mem.CrashClone(nil)); err != nil || !slices.Equal(groups, []string{"durable"}) {
		t.Errorf("after a power cut: %q, %v", groups, err)
	}
	if groups, _, err := replayed(t, mem.Clone()); err != nil || !slices.Equal(groups, []string{"durable", "who knows"}) {
		t.Errorf("after a kill: %q, %v", groups, err)
	}
}

// A failed sync while nobody waits, as that of a segment that is being finished, is told by the next call.
func TestFailedSyncInTheBackground(t *testing.T) {
	disk := fsys.NewFault(newDisk(t))
	l := newLog(t, disk, 1)
	must(t, l.Append([]byte("a")))
	disk.SetHook(func(op fsys.Op, name string) error {
		if op == fsys.OpSync && name == path(1) {
			return errDisk
		}
		return nil
	})
	must(t, l.Rotate(2, 0))
	if err := l.AppendSync([]byte("b")); !errors.Is(err, ErrSyncFailed) {
		t.Errorf("got %v", err)
	}
	if err := l.Close(); !errors.Is(err, ErrSyncFailed) {
		t.Errorf("closed with %v", err)
	}
	if groups, _, err := replayed(t, disk); err != nil || !slices.Equal(groups, []string{"a"}) {
		t.Errorf("replayed %q, %v", groups, err)
	}
}

// TestIOE05FailedRotation fails each step of making the next segment: the log goes on in the old one, and the next
// attempt succeeds, with or without a leftover in the way.
func TestIOE05FailedRotation(t *testing.T) {
	for _, op := range []fsys.Op{fsys.OpStat, fsys.OpCreate, fsys.OpWriteAt, fsys.OpSync, fsys.OpSyncDir} {
		for _, leftover := range []bool{false, true} {
			disk := fsys.NewFault(newDisk(t))
			l := newLog(t, disk, 1)
			must(t, l.AppendSync([]byte("a")))
			disk.SetHook(func(o fsys.Op, name string) error {
				if o == op || leftover && o == fsys.OpRemove {
					return errDisk
				}
				return nil
			})
			if err := l.Rotate(2, 0); !errors.Is(err, errDisk) {
				t.Errorf("%v: rotated with %v", op, err)
			}
			disk.SetHook(nil)
			must(t, l.AppendSync([]byte("b")))
			must(t, l.Rotate(3, 0))
			must(t, l.AppendSync([]byte("c")))
			groups, _, err := replayed(t, disk)
			if err != nil || !slices.Equal(groups, []string{"a", "b", "c"}) {
				t.Errorf("%v, leftover %v: replayed %q, %v", op, leftover, groups, err)
			}
			must(t, l.Close())

			l = newLog(t, disk, 4) // the next process's
			must(t, l.Append([]byte("d")))
			must(t, l.Close())
			groups, _, err = replayed(t, disk)
			if err != nil || !slices.Equal(groups, []string{"a", "b", "c", "d"}) {
				t.Errorf("%v, leftover %v: with another log replayed %q, %v", op, leftover, groups, err)
			}
		}
	}
}

// TestIOE05FailedCreation leaves nothing running and nothing in the way.
func TestIOE05FailedCreation(t *testing.T) {
	disk := fsys.NewFault(newDisk(t))
	disk.SetHook(fsys.FailNth(1, errDisk, fsys.OpSync))
	if _, err := Create(disk, dir, 1, 0); !errors.Is(err, errDisk) {
		t.Fatalf("got %v", err)
	}
	l, err := Create(disk, dir, 1, 0)
	must(t, err)
	must(t, l.Close())
}
