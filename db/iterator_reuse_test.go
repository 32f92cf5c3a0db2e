package db

import "testing"

// TestClosedIteratorsLendTheirMemory: what a closed iterator leaves to the next is not reached through the closed one, and
// iterators that are open together share nothing.
func TestClosedIteratorsLendTheirMemory(t *testing.T) {
	store := layered(t)
	for range 3 {
		old := store.NewIter(Range{Lower: []byte("c"), Upper: []byte("g")})
		old.Last()
		check(t, old.Close())

		var open [3]*Iterator
		for i := range open {
			open[i] = store.NewIter(Range{Lower: []byte("bdf")[i : i+1]})
		}
		for i, it := range open {
			if want := string("bdf"[i]); !it.First() || string(it.Key()) != want || string(it.Value()) != want {
				t.Fatalf("iterator %d is at %q: %q, want %s", i, it.Key(), it.Value(), want)
			}
		}
		check(t, old.Close())
		if old.SeekGE([]byte("a")) || old.Next() || old.Prev() || old.Key() != nil {
			t.Fatalf("a closed iterator moves to %q", old.Key())
		}
		for i, it := range open {
			if want := string("bdf"[i]); string(it.Key()) != want || string(it.Value()) != want {
				t.Errorf("iterator %d has come to %q: %q, want %s", i, it.Key(), it.Value(), want)
			}
			if !it.Last() || string(it.Key()) != "f" || it.Next() || it.Err() != nil {
				t.Errorf("the last of iterator %d is %q, %v", i, it.Key(), it.Err())
			}
			check(t, it.Close())
		}
	}
}
