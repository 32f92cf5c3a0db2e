package offheap

import (
	"runtime"
	"sync"
)

// Pool keeps buffers of one size that nobody needs now, as a sync.Pool does: until the collector has come by twice. What
// is there for a short while again and again needs not be mapped, and brought in page by page, each time. Any number of
// goroutines may use it.
type Pool struct {
	size int
	free sync.Pool
}

// Buffer is memory by Alloc that goes with the last reference to the Buffer. Bytes must not be looked at longer than the
// Buffer is held on to.
type Buffer struct{ Bytes []byte }

// NewPool is for buffers of size bytes each.
func NewPool(size int) *Pool { return &Pool{size: size} }

// Get is a buffer with whatever in it, for the caller to keep, or to Put.
func (p *Pool) Get() *Buffer {
	if b, ok := p.free.Get().(*Buffer); ok {
		return b
	}
	bytes, _ := Alloc(p.size)
	b := &Buffer{bytes}
	runtime.AddCleanup(b, func(bytes []byte) { Free(bytes) }, bytes)
	return b
}

// Put gives a buffer of Get to who wants one next.
func (p *Pool) Put(b *Buffer) { p.free.Put(b) }
