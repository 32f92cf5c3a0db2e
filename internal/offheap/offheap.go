package offheap

import "sync/atomic"

// Smallest is the size in bytes from which on memory is outside the heap: less would be a page each on some machines,
// and many mappings.
const Smallest = 64 << 10

var held atomic.Int64

// Held is how many bytes are outside the heap now, in the whole process.
func Held() int64 { return held.Load() }

// Alloc makes n zero bytes, without room for more, and says how many of them are outside the heap: all or none. The
// caller owns them until Free, which must be called for each Alloc. A system that refuses has the heap asked, which
// knows what to do when there is no memory. Any number of goroutines may call Alloc and Free.
func Alloc(n int) (b []byte, outside int64) {
	if n >= Smallest {
		if b := mapped(n); b != nil {
			held.Add(int64(n))
			return b, int64(n)
		}
	}
	return make([]byte, n), 0
}

// Free gives back what Alloc made, of which b may be the front, and says how many bytes were outside the heap. Nobody
// may look at them any more. Bytes of the heap are left to the collector.
func Free(b []byte) (outside int64) {
	b = b[:cap(b)]
	if len(b) < Smallest || !unmapped(b) {
		return 0
	}
	held.Add(int64(-len(b)))
	return int64(len(b))
}
