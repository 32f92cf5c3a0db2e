package fsys

import (
	"errors"
	"slices"
	"testing"
)

// Each operation is heard of, under its name, and fails when the hook says so.
func TestFaultHearsEverything(t *testing.T) {
	mem := NewMem()
	disk := NewFault(mem)
	f := create(t, disk, "f")
	cause := errors.New("no")
	calls := map[Op]func() error{
		OpCreate:   func() error { return second(disk.Create("x")) },
		OpOpen:     func() error { return second(disk.Open("f")) },
		OpReadAt:   func() error { return second(f.ReadAt(nil, 0)) },
		OpWriteAt:  func() error { return second(f.WriteAt([]byte("x"), 0)) },
		OpSync:     f.Sync,
		OpRename:   func() error { return disk.Rename("f", "x") },
		OpRemove:   func() error { return disk.Remove("f") },
		OpSyncDir:  func() error { return disk.SyncDir("/") },
		OpList:     func() error { return second(disk.List("/")) },
		OpStat:     func() error { return errors.Join(second(disk.Stat("f")), second(f.Stat())) },
		OpMkdirAll: func() error { return disk.MkdirAll("x") },
		OpLock:     func() error { return second(disk.Lock("x", LockExclusive)) },
		OpClose:    f.Close,
	}
	for op, call := range calls {
		if op == OpClose {
			continue
		}
		disk.SetHook(FailFrom(1, cause, op))
		if err := call(); !errors.Is(err, cause) {
			t.Errorf("%v: %v", op, err)
		}
	}
	if got := names(t, mem, "/"); !slices.Equal(got, []string{"f"}) || mem.Used() != 0 {
		t.Errorf("failed operations happened: %q, %d bytes", got, mem.Used())
	}
	disk.SetHook(FailFrom(1, cause, OpClose))
	if err := calls[OpClose](); !errors.Is(err, cause) {
		t.Errorf("close: %v", err)
	}
	if f.Sync() == nil {
		t.Error("the file was not closed")
	}
}

func TestFailNthAndFrom(t *testing.T) {
	cause := errors.New("no")
	tries := func(hook Hook) (failed []int) {
		disk := NewFault(NewMem())
		disk.SetHook(hook)
		for i := range 5 {
			_, _ = disk.List("/") // does not count
			if disk.SyncDir("/") != nil {
				failed = append(failed, i)
			}
		}
		return failed
	}
	if got := tries(FailNth(3, cause, OpSyncDir, OpRemove)); !slices.Equal(got, []int{2}) {
		t.Errorf("nth failed %v", got)
	}
	if got := tries(FailFrom(3, cause, OpSyncDir, OpRemove)); !slices.Equal(got, []int{2, 3, 4}) {
		t.Errorf("from failed %v", got)
	}
	if got := tries(FailNth(4, cause)); !slices.Equal(got, []int{1}) {
		t.Errorf("of all kinds failed %v", got)
	}
}

func TestShortWrite(t *testing.T) {
	disk := NewFault(NewMem())
	f := create(t, disk, "f")
	cause := errors.New("no")
	disk.SetHook(FailNth(1, &ShortWrite{N: 2, Err: cause}))
	if n, err := f.WriteAt([]byte("abc"), 0); n != 2 || !errors.Is(err, cause) {
		t.Errorf("got %d, %v", n, err)
	}
	if got := content(t, disk, "f"); got != "ab" {
		t.Errorf("got %q", got)
	}
}

func TestCounted(t *testing.T) {
	var c Counters
	f := Counted(create(t, NewMem(), "f"), &c)
	write(t, f, "hello", 0)
	write(t, f, "!", 5)
	must(t, f.Sync())
	p := make([]byte, 10)
	_, _ = f.ReadAt(p, 0)
	_, _ = f.ReadAt(p[:2], 0)
	must(t, f.Close())
	_, _ = f.ReadAt(p, 0) // reached the file and failed there
	got := []int64{c.Reads.Load(), c.BytesRead.Load(), c.Writes.Load(), c.BytesWritten.Load(), c.Syncs.Load()}
	if !slices.Equal(got, []int64{3, 8, 2, 6, 1}) {
		t.Errorf("counted %v", got)
	}
}
