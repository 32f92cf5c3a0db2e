package offheap

import (
	"runtime"
	"testing"
)

// TestPool: a buffer that was put is the next one got, and what nobody holds on to is given back, whether it was put or
// lost.
func TestPool(t *testing.T) {
	before := Held()
	p := NewPool(Smallest)
	first, lost := p.Get(), p.Get()
	if len(first.Bytes) != Smallest || len(lost.Bytes) != Smallest || &first.Bytes[0] == &lost.Bytes[0] {
		t.Fatalf("buffers of %d and %d bytes", len(first.Bytes), len(lost.Bytes))
	}
	first.Bytes[0], lost.Bytes[0] = 1, 2
	runtime.GC()
	runtime.GC()
	if first.Bytes[0] != 1 || lost.Bytes[0] != 2 || Untouched && Held() != before+2*Smallest {
		t.Errorf("buffers in use have gone: %d bytes are held", Held()-before)
	}
	kept := first
	p.Put(first)
	if again := p.Get(); Untouched && again != kept { // with the race detector, pools are forgetful
		t.Error("a buffer that was put is not the next one got")
	}
	runtime.KeepAlive(lost)
	p, first, lost, kept = nil, nil, nil, nil
	for Held() > before { // the test's deadline is the limit
		runtime.GC()
	}
}
