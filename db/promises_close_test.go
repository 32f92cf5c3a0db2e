package db

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"siftdb/internal/fsys"
)

// promiseClose: of two at once exactly one does the work; it waits for running calls and tells what was left open.
func promiseClose(t *testing.T) {
	t.Run("many at once", func(t *testing.T) {
		for range 20 {
			store := memStore(t)
			put(t, store, "a")
			store.Snapshot()
			var done, refused atomic.Int32
			var closers sync.WaitGroup
			for range 4 {
				closers.Go(func() {
					if err := store.Close(); err == ErrClosed {
						refused.Add(1)
					} else {
						wantLeak(t, err, 0, 1)
						done.Add(1)
					}
				})
			}
			closers.Wait()
			if done.Load() != 1 || refused.Load() != 3 {
				t.Fatalf("%d did the work, %d were refused", done.Load(), refused.Load())
			}
		}
	})
	t.Run("deferred beside an explicit one", func(t *testing.T) {
		store := memStore(t)
		defer store.Close()
		it, snapshot := store.NewIter(Range{}), store.Snapshot()
		defer it.Close()
		defer snapshot.Close()
		check(t, it.Close())
		check(t, snapshot.Close())
		check(t, store.Close())
	})
	t.Run("frees the lock", func(t *testing.T) {
		disk := fsys.NewMem()
		for range 3 {
			store, err := Open("store", small(disk))
			check(t, err)
			check(t, store.Close())
		}
	})
}

// promiseLeftovers: Close returns *LeakError, with an error of the log beside it if there is one.
func promiseLeftovers(t *testing.T) {
	store := memStore(t)
	for range 2 {
		store.NewIter(Range{})
	}
	for range 3 {
		store.Snapshot()
	}
	check(t, store.NewIter(Range{}).Close())
	check(t, store.Snapshot().Close())
	check(t, store.View(func(*Snapshot) error { return nil }))
	err := store.Close()
	wantLeak(t, err, 2, 3)
	if want := "siftdb: closed with 2 iterators and 3 snapshots still open"; err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
	if err := store.Close(); err != ErrClosed {
		t.Errorf("second Close: %v", err)
	}
}

// promiseRunningCalls: Close waits for GetFunc and View that run elsewhere; called inside one it returns an error
// at once.
func promiseRunningCalls(t *testing.T) {
	calls := map[string]func(store *DB, fn func()) error{
		"GetFunc": func(store *DB, fn func()) error {
			return store.GetFunc([]byte("a"), func([]byte) error { fn(); return nil })
		},
		"View": func(store *DB, fn func()) error {
			return store.View(func(*Snapshot) error { fn(); return nil })
		},
		"GetFunc of a snapshot": func(store *DB, fn func()) error {
			s := store.Snapshot()
			defer s.Close()
			return s.GetFunc([]byte("a"), func([]byte) error { fn(); return nil })
		},
		"GetFunc in View": func(store *DB, fn func()) error {
			return store.View(func(s *Snapshot) error {
				return s.GetFunc([]byte("a"), func([]byte) error { fn(); return nil })
			})
		},
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			store, other := memStore(t), memStore(t)
			put(t, store, "a")
			put(t, other, "a")
			within(t, "Close inside "+name, func() {
				check(t, call(store, func() {
					if err := store.Close(); err == nil || errors.Is(err, ErrClosed) {
						t.Errorf("Close of the same store: %v", err)
					}
					deep(2000, func() {
						if err := store.Close(); err == nil || errors.Is(err, ErrClosed) {
							t.Errorf("Close far down the stack: %v", err)
						}
					})
					if err := other.Close(); err != nil {
						t.Errorf("Close of another store: %v", err)
					}
				}))
			})
			put(t, store, "b") // it is open still
			wantValue(t, store, "b", "b")
			t.Run("waits", func(t *testing.T) { closeWaitsFor(t, store, call) })
		})
	}
	t.Run("a panic in the function", closeAfterPanic)
}

// deep calls fn from so many frames down.
func deep(frames int, fn func()) {
	if frames == 0 {
		fn()
		return
	}
	deep(frames-1, fn)
}

// closeWaitsFor closes the store while the call runs: Close returns after it, and takes nothing for a leak.
func closeWaitsFor(t *testing.T, store *DB, call func(store *DB, fn func()) error) {
	started, goOn := make(chan struct{}), make(chan struct{})
	var returned atomic.Bool
	var calls sync.WaitGroup
	calls.Go(func() {
		err := call(store, func() {
			close(started)
			<-goOn
			if returned.Load() {
				t.Error("Close did not wait")
			}
		})
		if err != nil {
			t.Error(err)
		}
	})
	<-started
	closed := make(chan error)
	go func() {
		err := store.Close()
		returned.Store(true)
		closed <- err
	}()
	eventually(t, "reads refused by Close", func() bool {
		_, err := store.Get([]byte("a"))
		return err == ErrClosed
	})
	close(goOn)
	within(t, "Close after the call", func() {
		if err := <-closed; err != nil {
			if leak, ok := errors.AsType[*LeakError](err); !ok || leak.Snapshots > 1 { // the case's own snapshot
				t.Error(err)
			}
		}
	})
	calls.Wait()
}

func closeAfterPanic(t *testing.T) {
	store := memStore(t)
	put(t, store, "a")
	for _, call := range []func(){
		func() { store.GetFunc([]byte("a"), func([]byte) error { panic("in GetFunc") }) },
		func() { store.View(func(*Snapshot) error { panic("in View") }) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("the panic was swallowed")
				}
			}()
			call()
		}()
	}
	within(t, "Close after a panic", func() { check(t, store.Close()) })
}

// promiseWritesAroundClose: a write that got ErrClosed did not happen, one that returned nil did, and a clean Close
// keeps NoSync writes.
func promiseWritesAroundClose(t *testing.T) {
	for round := range 30 {
		disk := fsys.NewMem()
		store := openStore(t, disk)
		const writers = 4
		var kept [writers]int
		var running sync.WaitGroup
		for w := range writers {
			running.Go(func() {
				for i := 0; ; i++ {
					when := Sync
					if i%2 == 0 {
						when = NoSync
					}
					err := store.Put([]byte{byte('a' + w)}, []byte{byte(i >> 8), byte(i)}, when)
					if err == ErrClosed {
						kept[w] = i
						return
					}
					if err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		eventually(t, "some writes", func() bool { return store.Metrics().Writes > int64(round*20) })
		check(t, store.Close())
		running.Wait()
		reopened := openStore(t, disk.CrashClone(nil)) // what Close kept is durable, too
		for w := range writers {
			if kept[w] == 0 {
				continue
			}
			last := kept[w] - 1
			wantValue(t, reopened, string([]byte{byte('a' + w)}), string([]byte{byte(last >> 8), byte(last)}))
		}
		check(t, reopened.Close())
	}
}
