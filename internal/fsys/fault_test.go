package fsys

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"
	"testing/synctest"
	"time"
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

// A late failure is told of an operation that has happened; nothing stays open or locked that nobody can close.
func TestLate(t *testing.T) {
	mem := NewMem()
	disk := NewFault(mem)
	old := create(t, disk, "old")
	cause := errors.New("no")
	disk.SetHook(FailFrom(1, &Late{Err: cause}))
	for what, err := range map[string]error{
		"create": second(disk.Create("new")), "rename": disk.Rename("old", "renamed"), "mkdir": disk.MkdirAll("d"),
		"lock": second(disk.Lock("LOCK", LockExclusive)), "sync directory": disk.SyncDir("/"),
		"write": second(old.WriteAt([]byte("abc"), 0)), "sync": old.Sync(), "close": old.Close(),
	} {
		if !errors.Is(err, cause) {
			t.Errorf("%s: %v", what, err)
		}
	}
	disk.SetHook(nil)
	if got := names(t, disk, "/"); !slices.Equal(got, []string{"LOCK", "d", "new", "renamed"}) {
		t.Errorf("the disk holds %q", got)
	}
	if got := content(t, disk, "renamed"); got != "abc" {
		t.Errorf("the file holds %q", got)
	}
	lock, err := disk.Lock("LOCK", LockExclusive)
	must(t, err)
	must(t, lock.Close())
}

// Failures say what they are, and of what.
func TestFailureTexts(t *testing.T) {
	cause := errors.New("no room")
	for text, err := range map[string]error{
		"short write: no room":               &ShortWrite{N: 1, Err: cause},
		"after the fact: no room":            &Late{Err: cause},
		"a bit of what was read is inverted": &BitFlip{},
		"sync directory d: no room":          fmt.Errorf("%v d: %w", OpSyncDir, cause),
		"lock LOCK: short write: no room":    fmt.Errorf("%v LOCK: %w", OpLock, &ShortWrite{Err: cause}),
	} {
		if _, flips := err.(*BitFlip); err.Error() != text || errors.Is(err, cause) == flips {
			t.Errorf("%q, the cause is in it: %v", err, errors.Is(err, cause))
		}
	}
}

// A flipped bit is one of what is read, wherever it is said to be, and not on the disk.
func TestBitFlip(t *testing.T) {
	disk := NewFault(NewMem())
	f := create(t, disk, "f")
	write(t, f, "abc", 0)
	for bit, want := range map[int]string{0: "`bc", 9: "a`c", 24 + 1: "cbc"} {
		disk.SetHook(FailNth(1, &BitFlip{Bit: bit}, OpReadAt))
		for _, want := range []string{want, "abc"} {
			p := make([]byte, 3)
			n, err := f.ReadAt(p, 0)
			must(t, err)
			if string(p[:n]) != want {
				t.Errorf("bit %d: read %q, want %q", bit, p[:n], want)
			}
		}
	}
	disk.SetHook(FailNth(1, &BitFlip{}, OpReadAt))
	if n, err := f.ReadAt(make([]byte, 1), 3); n != 0 || err != io.EOF {
		t.Errorf("past the end: %d, %v", n, err)
	}
}

func TestSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := NewFault(NewMem())
		f := create(t, disk, "f")
		disk.SetHook(Slow(time.Hour, OpSync, OpSyncDir))
		start := time.Now()
		write(t, f, "abc", 0)
		if took := time.Since(start); took != 0 {
			t.Errorf("a write took %v", took)
		}
		must(t, f.Sync())
		must(t, disk.SyncDir("/"))
		if took := time.Since(start); took != 2*time.Hour {
			t.Errorf("two syncs took %v", took)
		}
	})
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
