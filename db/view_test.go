package db

import (
	"fmt"
	"sync"
	"testing"
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
