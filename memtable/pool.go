package memtable

import (
	"sync"

	"siftdb/internal/offheap"
)

// Pool makes the tables of one store, and hands the memory of those that are done with on to the next. A store under
// load fills table after table of one size: as garbage, they would let the heap grow to twice what is alive, and each
// would be zeroed, and brought in page by page, before it is written to. Chunks of arenas are outside the Go heap where
// the system allows that, so that they do not count towards the next collection.
//
// Any number of goroutines may use a Pool.
type Pool struct {
	sizeHint  int64
	chunkSize int // of the chunks that are kept

	mu     sync.Mutex
	free   [][]byte // chunks that no table has
	mapped int64    // bytes outside the heap, in tables and in free
	closed bool
}

// NewPool makes a pool for tables that are expected to grow to sizeHint bytes each, as with New.
func NewPool(sizeHint int64) *Pool {
	return &Pool{sizeHint: sizeHint, chunkSize: chunkSizeFor(sizeHint)}
}

// New makes an empty table, as the function New does, for which Release must be called.
func (p *Pool) New() *Table { return newTable(p.sizeHint, p) }

// NewAfter makes an empty table to follow previous, as New does. It expects keys like those of previous, as many for
// their bytes, and is faster than one by New when they share a prefix of several bytes; any key is right.
func (p *Pool) NewAfter(previous *Table) *Table {
	t := p.New()
	t.tree.heads = headsLike(&previous.tree)
	t.filter = filterLike(previous, p.sizeHint)
	return t
}

// Mapped is how many bytes are held outside the Go heap, by tables and for those to come.
func (p *Pool) Mapped() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.mapped
}

// Trim gives back what is kept for tables to come.
func (p *Pool) Trim() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, chunk := range p.free {
		p.mapped -= offheap.Free(chunk)
	}
	p.free = nil
}

// Close is Trim, after which nothing is kept any more. Tables can still be used, and must still be released.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.Trim()
}

// chunk is memory for n bytes, with whatever in it, of chunkSize if it is to be kept later.
func (p *Pool) chunk(n int) []byte {
	if p == nil {
		return make([]byte, n)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if last := len(p.free) - 1; last >= 0 && n == p.chunkSize {
		chunk := p.free[last]
		p.free[last], p.free = nil, p.free[:last]
		return chunk
	}
	chunk, mapped := offheap.Alloc(n)
	p.mapped += mapped
	return chunk
}

// take gets chunks back, of which it keeps as many as a table needs.
func (p *Pool) take(chunks [][]byte) {
	for _, chunk := range chunks {
		poison(chunk)
	}
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, chunk := range chunks {
		if len(chunk) == p.chunkSize && !p.closed && int64(len(p.free))*int64(p.chunkSize) < p.sizeHint {
			p.free = append(p.free, chunk)
		} else {
			p.mapped -= offheap.Free(chunk)
		}
	}
}
