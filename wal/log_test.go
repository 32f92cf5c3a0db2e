package wal

import (
	"errors"
	"io/fs"
	"slices"
	"sync"
	"testing"
	"time"

	"siftdb/internal/fsys"
	"siftdb/internal/offheap"
)

func TestRoundTrip(t *testing.T) {
	disk := newDisk(t)
	l := newLog(t, disk, 1)
	must(t, l.AppendSync([]byte("a")))
	must(t, l.Append([]byte("")))
	must(t, l.Append([]byte("c")))
	must(t, l.Rotate(4, 12))
	must(t, l.Append([]byte("d")))
	if l.Number() != 4 || l.SegmentSize() != HeaderSize+recordSize([]byte("d")) {
		t.Errorf("segment %d of %d bytes", l.Number(), l.SegmentSize())
	}
	must(t, l.Rotate(9, 15))
	must(t, l.Close())

	var from []uint64
	report, err := Replay(disk, dir, []uint64{9, 1, 4}, func(segment uint64, group []byte) error {
		from = append(from, segment)
		return nil
	})
	must(t, err)
	if !slices.Equal(from, []uint64{1, 1, 1, 4}) {
		t.Errorf("groups came from segments %v", from)
	}
	groups, _, err := replayed(t, disk)
	must(t, err)
	if !slices.Equal(groups, []string{"a", "", "c", "d"}) {
		t.Errorf("replayed %q", groups)
	}
	want := []SegmentReport{
		{Number: 1, Groups: 3, Bytes: 2, CleanEnd: true, Next: 4, TornAt: -1},
		{Number: 4, LastEdit: 12, Groups: 1, Bytes: 1, CleanEnd: true, Next: 9, TornAt: -1},
		{Number: 9, LastEdit: 15, CleanEnd: true, TornAt: -1},
	}
	if !slices.Equal(report.Segments, want) {
		t.Errorf("reported %+v", report.Segments)
	}
}

func TestNames(t *testing.T) {
	for number, name := range map[uint64]string{0: "000000.wal", 7: "000007.wal", 1234567: "1234567.wal"} {
		if got := Name(number); got != name {
			t.Errorf("Name(%d) is %s", number, got)
		}
		if got, ok := ParseName(name); got != number || !ok {
			t.Errorf("ParseName(%s) is %d, %v", name, got, ok)
		}
	}
	for _, name := range []string{"", ".wal", "1.wal", "0000001.wal", "000001.sst", "._000001.wal", "+00001.wal", "000001.wal.tmp", "18446744073709551616.wal"} {
		if n, ok := ParseName(name); ok {
			t.Errorf("%q was taken for segment %d", name, n)
		}
	}
}

// The group that was appended is the caller's again at once.
func TestAppendCopies(t *testing.T) {
	disk := newDisk(t)
	l := newLog(t, disk, 1)
	group := []byte("mine")
	must(t, l.Append(group))
	copy(group, "over")
	must(t, l.Close())
	if groups, _, err := replayed(t, disk); err != nil || !slices.Equal(groups, []string{"mine"}) {
		t.Errorf("replayed %q, %v", groups, err)
	}
}

// What was appended reaches the file without anybody asking, so that only a power cut loses it.
func TestAppendIsWrittenUnasked(t *testing.T) {
	disk := newDisk(t)
	l := newLog(t, disk, 1)
	must(t, l.Append([]byte("a")))
	for l.SegmentSize() > int64(len(readFile(t, disk, path(1)))) {
		time.Sleep(time.Millisecond) // the test's own time limit ends a writer that never comes
	}
	groups, _, err := replayed(t, disk.Clone())
	must(t, err)
	if !slices.Equal(groups, []string{"a"}) {
		t.Errorf("replayed %q", groups)
	}
	must(t, l.Close())
}

func TestSyncMakesDurable(t *testing.T) {
	disk := newDisk(t)
	l := newLog(t, disk, 1)
	for _, g := range []string{"a", "b", "c"} {
		must(t, l.Append([]byte(g)))
	}
	must(t, l.Rotate(2, 0))
	must(t, l.Sync())
	if groups, _, err := replayed(t, disk.CrashClone(nil)); err != nil || len(groups) != 3 {
		t.Errorf("with nothing in the new segment: %q, %v", groups, err)
	}
	must(t, l.Append([]byte("d")))
	must(t, l.Sync())
	if groups, _, err := replayed(t, disk.CrashClone(nil)); err != nil || len(groups) != 4 {
		t.Errorf("with a group in it: %q, %v", groups, err)
	}
	must(t, l.Close())
}

func TestAfterClose(t *testing.T) {
	l := newLog(t, newDisk(t), 1)
	must(t, l.Close())
	for what, err := range map[string]error{
		"Append": l.Append(nil), "AppendSync": l.AppendSync(nil), "Sync": l.Sync(), "Rotate": l.Rotate(2, 0), "Close": l.Close(),
	} {
		if err != ErrClosed {
			t.Errorf("%s gives %v", what, err)
		}
	}
	if l.Number() != 1 || l.SegmentSize() == 0 {
		t.Errorf("segment %d of %d bytes", l.Number(), l.SegmentSize())
	}
}

func TestNumbersOnlyRise(t *testing.T) {
	disk := newDisk(t)
	l := newLog(t, disk, 5)
	if err := l.Rotate(5, 0); err == nil {
		t.Error("rotated to the same number")
	}
	writeFile(t, disk, path(6), []byte("something"))
	if err := l.Rotate(6, 0); !errors.Is(err, fs.ErrExist) {
		t.Errorf("rotated onto a file: %v", err)
	}
	if string(readFile(t, disk, path(6))) != "something" {
		t.Error("the file was overwritten")
	}
	must(t, l.AppendSync([]byte("still here")))
	must(t, l.Close())
	if _, err := Create(disk, dir, 5, 0); !errors.Is(err, fs.ErrExist) {
		t.Errorf("created onto a file: %v", err)
	}
}

// A slow disk makes Append wait only beyond the limit, and then it goes on.
func TestAppendWaitsForRoom(t *testing.T) {
	disk := fsys.NewFault(newDisk(t))
	l := newLog(t, disk, 1)
	open := make(chan struct{})
	disk.SetHook(func(op fsys.Op, _ string) error {
		if op == fsys.OpWriteAt {
			<-open
		}
		return nil
	})
	group := make([]byte, 100_000)
	const groups = 2 * maxWaiting / 100_000
	done := make(chan error)
	go func() {
		for range groups {
			if err := l.Append(group); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	waiting := func() int64 {
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.waiting
	}
	for waiting() <= maxWaiting {
		time.Sleep(time.Millisecond)
	}
	select {
	case err := <-done:
		t.Fatalf("all was taken: %v", err)
	default:
	}
	if w := waiting(); w > maxWaiting+recordSize(group) {
		t.Errorf("%d bytes wait", w)
	}
	close(open)
	must(t, <-done)
	must(t, l.Close())
	if got, _, err := replayed(t, disk); err != nil || len(got) != groups {
		t.Errorf("replayed %d groups, %v", len(got), err)
	}
}

// All who wait share one sync.
func TestSyncIsShared(t *testing.T) {
	disk := fsys.NewFault(newDisk(t))
	l := newLog(t, disk, 1)
	open := make(chan struct{})
	var mu sync.Mutex
	syncs := 0
	disk.SetHook(func(op fsys.Op, _ string) error {
		if op == fsys.OpSync {
			<-open
			mu.Lock()
			defer mu.Unlock()
			syncs++
		}
		return nil
	})
	must(t, l.Append([]byte("a")))
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			if err := l.Sync(); err != nil {
				t.Error(err)
			}
		})
	}
	close(open)
	wg.Wait()
	if syncs != 1 {
		t.Errorf("%d syncs for one group", syncs)
	}
	disk.SetHook(nil)
	must(t, l.Close())
}

// What is appended while a sync runs is not taken for durable by it.
func TestSyncCoversOnlyWhatWasBefore(t *testing.T) {
	mem := newDisk(t)
	disk := fsys.NewFault(mem)
	l := newLog(t, disk, 1)
	must(t, l.Append([]byte("a")))
	during := sync.OnceFunc(func() { must(t, l.Append([]byte("b"))) })
	disk.SetHook(func(op fsys.Op, _ string) error {
		if op == fsys.OpSync {
			during()
		}
		return nil
	})
	must(t, l.Sync())
	must(t, l.Sync())
	if groups, _, err := replayed(t, mem.CrashClone(nil)); err != nil || !slices.Equal(groups, []string{"a", "b"}) {
		t.Errorf("replayed %q, %v", groups, err)
	}
	must(t, l.Close())
}

func TestAppendDoesNotAllocate(t *testing.T) {
	l, err := Create(sink{}, "", 1, 0)
	must(t, err)
	group := make([]byte, 120)
	for range 100_000 {
		must(t, l.Append(group))
	}
	if n := testing.AllocsPerRun(10_000, func() { _ = l.Append(group) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
	must(t, l.Close())
}

// The memory of writes is kept for the next ones, and given back when it has been quiet for a while, or the log is
// closed.
func TestMemoryOfWritesIsGivenBack(t *testing.T) {
	before := offheap.Held()
	l, err := Create(sink{}, "", 1, 0)
	must(t, err)
	for range 100 {
		must(t, l.AppendSync(make([]byte, 100<<10)))
	}
	if held := offheap.Held() - before; spare(l) == 0 || held > 2*fullBuffer {
		t.Errorf("room for %d bytes is kept for the next ones, %d are outside the heap", spare(l), held)
	}
	for spare(l) > 0 {
		time.Sleep(time.Millisecond)
	}
	if held := offheap.Held() - before; held != 0 {
		t.Errorf("%d bytes are held by a quiet log", held)
	}
	must(t, l.AppendSync(make([]byte, 2*fullBuffer)))
	must(t, l.AppendSync([]byte("a")))
	must(t, l.Close())
	if held := offheap.Held() - before; held != 0 {
		t.Errorf("%d bytes are held by a closed log", held)
	}
}

// spare is how many bytes of memory a log keeps for writes to come.
func spare(l *Log) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.spareLocked()
}

// A large group that the disk refused, and that was taken back, leaves its memory like one that was written.
func TestMemoryOfAWithdrawnGroupIsGivenBack(t *testing.T) {
	before := offheap.Held()
	disk := fsys.NewFault(newDisk(t))
	l := newLog(t, disk, 1)
	disk.SetHook(fsys.FailNth(1, errDisk, fsys.OpWriteAt))
	if err := l.AppendSync(make([]byte, 4*fullBuffer)); !errors.Is(err, errDisk) {
		t.Errorf("appended with %v", err)
	}
	for spare(l) > 0 {
		time.Sleep(time.Millisecond)
	}
	if held := offheap.Held() - before; held != 0 {
		t.Errorf("%d bytes are held by a quiet log", held)
	}
	must(t, l.AppendSync([]byte("a")))
	must(t, l.Close())
}

// Callers from all sides, under the race detector.
func TestManyCallers(t *testing.T) {
	rng := newRand(t)
	disk := newDisk(t)
	l := newLog(t, disk, 1)
	var h history
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				n := h.started() - 1 // the last one may not be appended yet
				if err := l.Sync(); err != nil {
					t.Error(err)
				} else {
					h.synced(n)
				}
				if l.Number() == 0 || l.SegmentSize() < HeaderSize {
					t.Error("no segment")
				}
			}
		})
	}
	h.work(l, rng, 500)
	durable := h.durables()
	groups, _, err := replayed(t, disk.CrashClone(nil))
	must(t, err)
	must(t, h.check(groups, durable))
	close(stop)
	wg.Wait()
	must(t, h.close(l))
	groups, _, err = replayed(t, disk.CrashClone(nil))
	must(t, err)
	must(t, h.check(groups, h.durables()))
}
