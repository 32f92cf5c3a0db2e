package db

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"siftdb/bloom"
	"siftdb/internal/fsys"
)

// slowTables delays each write of a table file.
func slowTables(pause time.Duration) fsys.Hook {
	return func(op fsys.Op, name string) error {
		if op == fsys.OpWriteAt && strings.HasSuffix(name, ".sst") {
			time.Sleep(pause)
		}
		return nil
	}
}

// failing makes operations on files with a suffix fail for good.
func failing(suffix string, ops ...fsys.Op) fsys.Hook {
	fail := fsys.FailFrom(1, syscall.EIO, ops...)
	return func(op fsys.Op, name string) error {
		if strings.HasSuffix(name, suffix) {
			return fail(op, name)
		}
		return nil
	}
}

// writeMuch writes until it is refused.
func writeMuch(store *DB) error {
	for i := 0; ; i++ {
		k := fmt.Sprintf("key%06d", i%2000)
		if err := store.Put([]byte(k), filled(k, 100, ""), NoSync); err != nil {
			return err
		}
	}
}

// again repeats a call until it fails.
func again(call func(store *DB) error) func(store *DB) error {
	return func(store *DB) error {
		for {
			if err := call(store); err != nil {
				return err
			}
		}
	}
}

func putSynced(store *DB) error { return store.Put([]byte("a"), nil, Sync) }

func compactAll(store *DB) error { return store.Compact(context.Background(), Range{}) }

func compactPart(store *DB) error {
	return store.Compact(context.Background(), Prefix([]byte("key0001")))
}

func flushAll(store *DB) error { return store.Flush(context.Background()) }

func loadFilters(store *DB) error { return store.LoadFilters(context.Background()) }

// rebuildFilters makes all filters anew, each time of another number of bits.
func rebuildFilters() func(store *DB) error {
	bits := 5.0
	return func(store *DB) error {
		bits = 17 - bits
		return store.RebuildFilters(context.Background(), bloom.Ribbon(bits))
	}
}

func setBitsAndLoad(store *DB) error {
	if err := store.SetBitsPerKey(float64(1 + time.Now().UnixNano()%16)); err != nil {
		return err
	}
	return loadFilters(store)
}

// untilClosed passes over the errors of a call but ErrClosed.
func untilClosed(call func(store *DB) error) func(store *DB) error {
	return func(store *DB) error {
		if err := call(store); errors.Is(err, ErrClosed) {
			return err
		}
		return nil
	}
}

func waitQuiet(store *DB) error { return store.WaitQuiet(context.Background()) }

func verifyAll(store *DB) error { return lastOf(store.Verify(context.Background())) }

// slow delays operations of one kind.
func slow(kind fsys.Op, pause time.Duration) fsys.Hook {
	return func(op fsys.Op, _ string) error {
		if op == kind {
			time.Sleep(pause)
		}
		return nil
	}
}

// closeStates are states to close a store in: what slows it down or fails, what is called until it fails, and when
// to close.
var closeStates = []struct {
	name  string
	hook  fsys.Hook
	work  []func(store *DB) error
	ready func(m Metrics) bool
}{
	{"flush running", slowTables(20 * time.Millisecond), []func(*DB) error{writeMuch},
		func(m Metrics) bool { return m.RunningFlushes > 0 }},
	{"compaction running", slowTables(5 * time.Millisecond), []func(*DB) error{writeMuch},
		func(m Metrics) bool { return m.RunningCompactions > 0 }},
	{"writers stopped", slowTables(50 * time.Millisecond), []func(*DB) error{writeMuch, writeMuch, writeMuch},
		func(m Metrics) bool {
			return m.MemTables == maxFrozen+1 && m.MemTableBytes > (maxFrozen+1)*(16<<10)
		}},
	{"flush fails", failing(".sst", fsys.OpCreate), []func(*DB) error{writeMuch},
		func(m Metrics) bool { return m.BackgroundErrors > 3 }},
	{"log fails", failing(".wal", fsys.OpWriteAt), []func(*DB) error{writeMuch},
		func(m Metrics) bool { return m.Writes > 0 }},
	{"sync of the log fails", failing(".wal", fsys.OpSync), []func(*DB) error{putSynced},
		func(Metrics) bool { return true }},
	{"slow syncs", slow(fsys.OpSync, 10*time.Millisecond), []func(*DB) error{again(putSynced)},
		func(m Metrics) bool { return m.Writes > 2 }},
	{"Compact", slowTables(5 * time.Millisecond), []func(*DB) error{writeMuch, again(compactAll), again(compactPart)},
		func(m Metrics) bool { return m.Compactions > 1 }},
	{"Flush", slowTables(10 * time.Millisecond), []func(*DB) error{writeMuch, again(flushAll)},
		func(m Metrics) bool { return m.Flushes > 1 }},
	{"Flush waits for one that fails", failing(".sst", fsys.OpCreate),
		[]func(*DB) error{writeMuch, again(untilClosed(flushAll))},
		func(m Metrics) bool { return m.BackgroundErrors > 3 }},
	{"WaitQuiet", slowTables(20 * time.Millisecond), []func(*DB) error{writeMuch, again(waitQuiet)},
		func(m Metrics) bool { return m.RunningFlushes > 0 }},
	{"Verify", slow(fsys.OpReadAt, time.Millisecond), []func(*DB) error{writeMuch, again(verifyAll)},
		func(m Metrics) bool { return m.TableReads > 10 }},
	{"RebuildFilters", slowTables(5 * time.Millisecond), []func(*DB) error{writeMuch, again(rebuildFilters())},
		func(m Metrics) bool { return m.FiltersRebuilt > 1 }},
	{"filters come and go", slow(fsys.OpReadAt, time.Millisecond), []func(*DB) error{writeMuch, again(setBitsAndLoad)},
		func(m Metrics) bool { return m.FilterLoads > 3 && m.FilterDrops > 0 }},
	{"filters cannot be read", failing(".sst", fsys.OpReadAt),
		[]func(*DB) error{writeMuch, again(untilClosed(loadFilters))},
		func(m Metrics) bool { return m.BackgroundErrors > 3 }},
	{"cleaning", slow(fsys.OpRemove, 20*time.Millisecond), []func(*DB) error{writeMuch},
		func(m Metrics) bool { return m.Compactions > 2 }},
}

// TestCloseInEachState closes the store while something is at work or stuck: it returns, leaves no goroutine and
// no file and no lock, and keeps what had been acknowledged (CON-02).
func TestCloseInEachState(t *testing.T) {
	for _, s := range closeStates {
		t.Run(s.name, func(t *testing.T) {
			base := goleak.IgnoreCurrent()
			disk := fsys.NewMem()
			counting := &handles{FS: disk}
			fault := fsys.NewFault(counting)
			store := openStore(t, fault)
			fault.SetHook(s.hook)
			var working sync.WaitGroup
			for _, work := range s.work {
				working.Go(func() {
					if err := work(store); err == nil {
						t.Error("the work ended without an error")
					}
				})
			}
			eventually(t, s.name, func() bool { return s.ready(store.Metrics()) })
			start := time.Now()
			within(t, "Close", func() {
				if err := store.Close(); err != nil && !errors.Is(err, syscall.EIO) {
					t.Errorf("Close: %v", err)
				}
			})
			t.Logf("Close took %v", time.Since(start))
			within(t, "the work after Close", working.Wait)
			if err := goleak.Find(base); err != nil {
				t.Error(err)
			}
			if n := counting.open.Load(); n != 0 {
				t.Errorf("%d files are open after Close", n)
			}
			fault.SetHook(nil)
			reopened := openStore(t, fault)
			content(t, reopened)
			check(t, reopened.Close())
		})
	}
}

// TestCloseWhileFilesAreSlowToRemove: Close does not wait until all files are gone that are no longer needed, where
// each takes its time; the next open removes the rest (CON-02).
func TestCloseWhileFilesAreSlowToRemove(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := fsys.NewMem()
		fault := fsys.NewFault(disk)
		store := openStore(t, fault, func(o *Options) { o.NoCompaction = true })
		const tables = 40
		for i := range tables {
			put(t, store, fmt.Sprint(i))
			flush(t, store)
		}
		quiet(t, store)
		fault.SetHook(slow(fsys.OpRemove, longestCleaning/5))
		check(t, store.Compact(context.Background(), Range{}))
		start := time.Now()
		check(t, store.Close())
		if took := time.Since(start); took > 2*longestCleaning {
			t.Errorf("Close took %v", took)
		}
		left := len(tableFilesOn(t, disk))
		fault.SetHook(nil)
		store = openStore(t, fault)
		if got := len(keysOf(t, store, Range{})); got != tables {
			t.Errorf("%d keys", got)
		}
		quiet(t, store)
		if found := len(tableFilesOn(t, disk)); found != len(tablesOf(store)) || left < tables/2 {
			t.Errorf("%d table files for %d tables, %d after Close", found, len(tablesOf(store)), left)
		}
		check(t, store.Close())
	})
}

// TestCallsQueuedBehindClose lets calls queue up behind Close for the end of the commit queue: none runs on a store
// that Close has taken apart.
func TestCallsQueuedBehindClose(t *testing.T) {
	for range 50 {
		store := memStore(t)
		put(t, store, "a")
		goOn := make(chan struct{})
		var calls sync.WaitGroup
		queued := func(n int) func() bool {
			return func() bool {
				store.commits.mu.Lock()
				defer store.commits.mu.Unlock()
				return store.commits.leading && len(store.commits.queue) >= n
			}
		}
		calls.Go(func() { store.alone(func() error { <-goOn; return nil }) })
		eventually(t, "a leader", queued(0))
		calls.Go(func() {
			if err := store.Close(); err != nil {
				t.Error(err)
			}
		})
		eventually(t, "Close in the queue", queued(1))
		for i, call := range []func() error{
			func() error { return store.Flush(context.Background()) },
			func() error { return store.Put([]byte("b"), nil) },
			func() error { return store.alone(store.rotate) },
			func() error { var b Batch; b.Put(nil, nil); return store.Apply(&b, NoSync) },
		} {
			calls.Go(func() {
				if err := call(); err != ErrClosed {
					t.Errorf("call %d behind Close: %v", i, err)
				}
			})
		}
		time.Sleep(time.Millisecond)
		close(goOn)
		within(t, "calls behind Close", calls.Wait)
	}
}
