package offheap

import (
	"runtime"
	"unsafe"
)

// Array is room for elements, by Alloc, until Release. If nobody calls that, it goes with the last reference to the
// Array, or to what it is a field of; what Room returned must not be looked at longer than that. T must have no
// pointers: the collector does not look for them there. The zero value has no room. One goroutine at a time.
type Array[T any] struct {
	bytes    []byte
	elements []T // what bytes are looked at as
	free     runtime.Cleanup
}

// Release gives back the memory. What Room returned must not be looked at any more.
func (a *Array[T]) Release() {
	a.free.Stop()
	Free(a.bytes)
	a.bytes, a.elements = nil, nil
}

// Room is n elements with whatever in them. Those of the call before are lost: they are the same memory if that is
// enough, else given back.
func (a *Array[T]) Room(n int) []T {
	if n > len(a.elements) {
		a.replace(n)
	}
	return a.elements[:n]
}

// replace gives back what there is before it asks for n elements, so that both are never there at once.
func (a *Array[T]) replace(n int) {
	a.Release()
	var element T
	a.bytes, _ = Alloc(n * int(unsafe.Sizeof(element)))
	a.free = runtime.AddCleanup(a, func(bytes []byte) { Free(bytes) }, a.bytes)
	// Pages, and what the heap has for bytes in whole elements, begin where a T may.
	a.elements = unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(a.bytes))), n)
}
