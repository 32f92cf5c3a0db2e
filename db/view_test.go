package db

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"siftdb/internal/striped"
)

// TestViewsGoWithTheirLastReader: while views follow each other, readers of every kind take and let go of them, some in
// other goroutines than those that took them; in the end only the current one is left.
func TestViewsGoWithTheirLastReader(t *testing.T) {
	store := memStore(t)
	put(t, store, "a")
	stop := make(chan struct{})
	iterators := make(chan *Iterator, 4)
	var readers sync.WaitGroup
	read := func(once func()) {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					once()
				}
			}
		})
	}
	for range 3 {
		read(func() { wantValue(t, store, "a", "a") })
	}
	read(func() {
		it := store.NewIter(Range{})
		it.First()
		select {
		case iterators <- it:
		case <-stop:
			it.Close()
		}
	})
	read(func() {
		select {
		case it := <-iterators:
			it.Close()
		case <-stop:
		}
	})
	for i := range 50 {
		put(t, store, fmt.Sprintf("key%d", i))
		flush(t, store)
	}
	check(t, store.Compact(t.Context(), Range{}))
	close(stop)
	readers.Wait()
	close(iterators)
	for it := range iterators {
		it.Close()
	}
	quiet(t, store)
	eventually(t, "the end of old views", func() bool {
		store.mu.Lock()
		defer store.mu.Unlock()
		return len(store.views) == 1
	})
	if n := store.view.Load().users.Sum(); n != callUser {
		t.Errorf("the current view has %#x users", n)
	}
}

// TestLateReadersGetNoReplacedView: who is counted in a view as it is replaced does not get it, and is the one who
// retires it if nobody else has it.
func TestLateReadersGetNoReplacedView(t *testing.T) {
	for name, user := range map[string]int64{"call": callUser, "iterator": iteratorUser} {
		t.Run(name, func(t *testing.T) {
			store := memStore(t)
			put(t, store, "a")
			quiet(t, store)
			v, line := store.view.Load(), striped.Line()
			v.users.AddIn(line, user)
			flush(t, store)
			quiet(t, store)
			booked := func() bool {
				store.mu.Lock()
				defer store.mu.Unlock()
				_, there := store.views[v]
				return there
			}
			if !booked() {
				t.Error("the view was retired under who is counted in it")
			}
			eventually(t, "the end of others' use of the view", func() bool { return v.users.Sum() == user })
			if store.holds(v, line, user) {
				t.Error("a replaced view is held")
			}
			if n := v.users.Sum(); n != 0 || booked() {
				t.Errorf("the view has %#x users and is in the books: %v", n, booked())
			}
		})
	}
}

// closeBeside closes the store beside something that Close must wait for.
func closeBeside(t *testing.T, store *DB, something string) (closed <-chan error) {
	t.Helper()
	done := make(chan error)
	go func() { done <- store.Close() }()
	eventually(t, "the end of the view", func() bool { return store.view.Load() == nil })
	select {
	case err := <-done:
		t.Fatalf("Close returns %v beside %s", err, something)
	case <-time.After(20 * time.Millisecond): // for Close to look and wait
	}
	return done
}

// TestCloseHearsOfTheLastCall in a view that an iterator has too, which is left open.
func TestCloseHearsOfTheLastCall(t *testing.T) {
	store := memStore(t)
	put(t, store, "a")
	it := store.NewIter(Range{})
	defer it.Close()
	v := store.acquire(callUser)
	closed := closeBeside(t, store, "a call")
	store.release(v, callUser)
	within(t, "Close", func() {
		var leak *LeakError
		if err := <-closed; !errors.As(err, &leak) || leak.Iterators != 1 {
			t.Errorf("Close returns %v", err)
		}
	})
}

// TestCloseHearsOfTheLastFunction of a View, which holds no view of the store.
func TestCloseHearsOfTheLastFunction(t *testing.T) {
	store := memStore(t)
	line := store.enterCallback()
	closed := closeBeside(t, store, "a function")
	store.leaveCallback(line)
	within(t, "Close", func() { check(t, <-closed) })
}
