package offheap

import "testing"

// TestAllocAndFree: bytes are zero and can be written to, whatever their number; outside the heap they are counted, and
// given back once.
func TestAllocAndFree(t *testing.T) {
	before := Held()
	for _, n := range []int{0, 1, Smallest - 1, Smallest, Smallest + 1, 3 << 20} {
		b, outside := Alloc(n)
		if len(b) != n || cap(b) != n {
			t.Fatalf("%d bytes with room for %d, not %d", len(b), cap(b), n)
		}
		if outside != 0 && (outside != int64(n) || n < Smallest) {
			t.Errorf("%d of %d bytes are outside the heap", outside, n)
		}
		if Untouched && n >= Smallest && outside == 0 {
			t.Errorf("%d bytes are on the heap", n)
		}
		if got := Held() - before; got != outside {
			t.Errorf("%d bytes held, not %d", got, outside)
		}
		for i := range b {
			if b[i] != 0 {
				t.Fatalf("byte %d of %d is %d", i, n, b[i])
			}
			b[i] = byte(i) | 1
		}
		if got := Free(b[:n/2]); got != outside {
			t.Errorf("%d bytes given back, not %d", got, outside)
		}
		if Held() != before {
			t.Errorf("%d bytes held after Free", Held()-before)
		}
	}
}

// TestFreeLeavesTheHeapAlone: of what Alloc did not make, nothing is given back.
func TestFreeLeavesTheHeapAlone(t *testing.T) {
	b := make([]byte, 2*Smallest)
	if got := Free(b); got != 0 {
		t.Errorf("%d bytes of the heap given back", got)
	}
	b[len(b)-1] = 1
	if got := Free(nil); got != 0 {
		t.Errorf("%d bytes of nothing given back", got)
	}
}
