package offheap

import (
	"runtime"
	"testing"
)

type pair struct{ low, high uint64 }

// TestArray: an array has the room that is asked for, keeps its memory while that is enough, holds one piece of memory at
// a time, and gives it back when nobody holds on to what it is a field of.
func TestArray(t *testing.T) {
	before := Held()
	owner := new(struct {
		name  string
		pairs Array[pair]
		small Array[uint16]
	})
	const n = Smallest
	for _, size := range []int{0, 1, 3, n / 16, n, 2 * n} {
		pairs, small := owner.pairs.Room(size), owner.small.Room(size)
		if len(pairs) != size || len(small) != size {
			t.Fatalf("room for %d and %d elements, not %d", len(pairs), len(small), size)
		}
		for i := range pairs {
			pairs[i], small[i] = pair{uint64(i), ^uint64(i)}, uint16(i)
		}
		for i := range pairs {
			if pairs[i] != (pair{uint64(i), ^uint64(i)}) || small[i] != uint16(i) {
				t.Fatalf("element %d of %d is %v and %d", i, size, pairs[i], small[i])
			}
		}
	}
	first := &owner.pairs.Room(2 * n)[0]
	if less := owner.pairs.Room(n); len(less) != n || &less[0] != first {
		t.Error("less room is other memory")
	}
	if want := int64(2*n*16 + 2*n*2); Untouched && Held() != before+want {
		t.Errorf("%d bytes are held, not %d", Held()-before, want)
	}
	for range 3 {
		runtime.GC()
	}
	if Untouched && Held() == before || *first != (pair{0, ^uint64(0)}) {
		t.Error("memory in use has gone")
	}
	runtime.KeepAlive(owner)
	owner, first = nil, nil
	for Held() > before { // the test's deadline is the limit
		runtime.GC()
	}
}
