package db

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	"siftdb/internal/fsys"
	"siftdb/internal/offheap"
)

// TestDiskFull lets the disk run full at many sizes, in the log, a table or the manifest: writes are refused with
// the cause, reads go on, a power cut loses nothing, the store opens read-only on the full disk; and when there is
// room again writes go on without reopening, none lost, none doubled (IOE-01, IOE-02).
func TestDiskFull(t *testing.T) {
	points := 200
	if testing.Short() {
		points = 20
	}
	whole := fsys.NewMem()
	new(journal).script(openStore(t, whole), func(int) {})
	for point := range points {
		room := int64(point) * whole.Used() / int64(points)
		what := fmt.Sprintf("room for %d bytes", room)
		disk := fsys.NewMem()
		store := openStore(t, disk)
		disk.SetRoom(disk.Used() + room)
		full := wayToFail{cause: syscall.ENOSPC, ops: changingOps}
		p := &faultPoint{t: t, way: full, what: what, store: store}
		within(t, what, func() { p.j.script(store, p.step) })
		p.judgeAnswers()
		j := &p.j
		durable := j.durableNow()
		cut := disk.CrashClone(rand.New(rand.NewPCG(2, uint64(point))))
		fullDisk := cut.Clone()
		fullDisk.SetRoom(0)
		openFull(t, what, fullDisk, j, durable)
		cut.SetRoom(-1)
		reopenAndJudge(t, what+", power cut", cut, j, durable)

		disk.SetRoom(-1)
		writesGoOn(t, what, store, j)
		if err := j.judge(content(t, store), len(j.writes)); err != nil {
			t.Errorf("%s: afterwards: %v", what, err)
		}
		within(t, what+": Close", func() { check(t, store.Close()) })
		reopenAndJudge(t, what+", closed", disk.CrashClone(nil), j, len(j.writes))
		if t.Failed() {
			return
		}
	}
}

// openFull opens a store on a disk without room: read-only it works, for writing it works or says why not.
func openFull(t *testing.T, what string, disk *fsys.Mem, j *journal, durable int) {
	t.Helper()
	reader, err := Open("store", &Options{FS: disk, ReadOnly: true})
	if err != nil {
		t.Errorf("%s: read-only on the full disk: %v", what, err)
		return
	}
	if err := j.judge(content(t, reader), durable); err != nil {
		t.Errorf("%s: read-only on the full disk: %v", what, err)
	}
	check(t, reader.Close())
	store, err := Open("store", small(disk))
	if err == nil {
		store.Close()
	} else if !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("%s: for writing on the full disk: %v", what, err)
	}
}

// TestFlushTriesAgainAtOnce: a flush that failed is tried again by itself after pauses, and by a call of Flush
// without one.
func TestFlushTriesAgainAtOnce(t *testing.T) {
	fault := fsys.NewFault(fsys.NewMem())
	store := openStore(t, fault)
	put(t, store, "a")
	full := func(op fsys.Op, name string) error {
		if op == fsys.OpCreate && strings.HasSuffix(name, ".sst") {
			return syscall.ENOSPC
		}
		return nil
	}
	fault.SetHook(full)
	for range 8 { // by now the pauses are long
		wantErr(t, "Flush", store.Flush(context.Background()), ErrRefused)
	}
	fault.SetHook(nil)
	start := time.Now()
	flush(t, store)
	t.Logf("%d tries, the last one after %v", store.Metrics().BackgroundErrors+1, time.Since(start))
	if m := store.Metrics(); m.Flushes != 1 || m.MemTables != 1 {
		t.Errorf("%d flushes, %d memtables", m.Flushes, m.MemTables)
	}

	put(t, store, "b")
	before := store.Metrics().BackgroundErrors
	fault.SetHook(full)
	check(t, store.alone(store.rotate))
	eventually(t, "a failure", func() bool { return store.Metrics().BackgroundErrors > before })
	fault.SetHook(nil)
	eventually(t, "a flush by itself", func() bool { return store.Metrics().Flushes == 2 })
}

// TestFailedCompactIsOver: the error of a call of Compact is its caller's. Once the cause is gone and nothing is due,
// the store is quiet, whether or not compactions run in the background.
func TestFailedCompactIsOver(t *testing.T) {
	for _, noCompaction := range []bool{true, false} {
		fault := fsys.NewFault(fsys.NewMem())
		store := openStore(t, fault, func(o *Options) { o.NoCompaction = noCompaction })
		put(t, store, "a", "b")
		flush(t, store)
		fault.SetHook(failing(".sst", fsys.OpCreate))
		wantErr(t, "Compact", store.Compact(context.Background(), Range{}), syscall.EIO)
		fault.SetHook(nil)
		within(t, "WaitQuiet", func() { check(t, store.WaitQuiet(context.Background())) })
		check(t, store.Close())
	}
}

// TestFailedTablesDoNotPileUp: a table whose building fails, or is called off, leaves its memory to the next one,
// though no collection comes by: the collector does not see what there is outside the heap.
func TestFailedTablesDoNotPileUp(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var cancel context.CancelFunc
	for name, end := range map[string]func() error{
		"full disk": func() error { return syscall.ENOSPC },
		"cancelled": func() error { cancel(); return nil },
	} {
		fault := fsys.NewFault(fsys.NewMem())
		store := openStore(t, fault, func(o *Options) {
			o.NoCompaction, o.Compression, o.MemTableSize, o.TableSize = true, NoCompression, 8<<20, 8<<20
		})
		filterKeys(t, store, 40_000)
		flush(t, store)
		fails := func() {
			t.Helper()
			var ctx context.Context
			ctx, cancel = context.WithCancel(context.Background())
			defer cancel()
			second := fsys.FailNth(2, syscall.ENOSPC, fsys.OpWriteAt)
			fault.SetHook(func(op fsys.Op, name string) error {
				if !strings.HasSuffix(name, ".sst") || second(op, name) == nil {
					return nil
				}
				return end()
			})
			if err := store.Compact(ctx, Range{}); err == nil {
				t.Errorf("%s: Compact worked", name)
			}
		}
		fails()
		first := offheap.Held()
		for range 20 {
			fails()
		}
		if held := offheap.Held(); held > first+2<<20 {
			t.Errorf("%s: %d bytes are outside the heap after 20 failures, there were %d after the first", name, held, first)
		}
		fault.SetHook(nil)
		check(t, store.Compact(context.Background(), Range{}))
		check(t, store.Close())
	}
}
