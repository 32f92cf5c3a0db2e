package memtable

import "sync/atomic"

// ref is the place of an entry or a leaf in an arena: the number of the chunk in the upper half, the offset in it in
// the lower. 0 is no place. References with the top bit set are probes, which are in no arena.
type ref uint64

const (
	smallestChunk = 4 << 10
	largestChunk  = 1 << 20
)

// arena is memory that is only appended to. What is written stays where it is, and entries stay as they are, so that
// readers need no lock for an entry whose reference they have been given in a synchronised way. One writer at a time.
type arena struct {
	// chunks is the directory by chunk number. The writer publishes a longer one for each new chunk; chunk 0 is
	// never used.
	chunks atomic.Pointer[[][]byte]
	pool   *Pool // where chunks come from and go to; nil: the collector's

	// The rest is the writer's.
	current   int   // number of the chunk that is being filled
	used      int   // bytes used of it
	nextSize  int   // size of the chunk after it
	chunkSize int   // size at which chunks stop growing
	reserved  int64 // bytes of all chunks
}

// init makes the arena empty. sizeHint is the bytes that it may come to hold.
func (a *arena) init(sizeHint int64, pool *Pool) {
	a.pool = pool
	a.chunkSize = chunkSizeFor(sizeHint)
	a.nextSize = smallestChunk
	a.chunks.Store(&[][]byte{nil})
}

// chunkSizeFor is the size at which chunks stop growing: they double up to a sixteenth of sizeHint, so that neither a
// small table nor the last chunk of a large one holds much that is not used.
func chunkSizeFor(sizeHint int64) int {
	size := smallestChunk
	for size < largestChunk && int64(size) < sizeHint/16 {
		size *= 2
	}
	return size
}

// alloc gives out n bytes. What is large beside a chunk gets a chunk of its own, so that the current one is not
// given up half empty.
func (a *arena) alloc(n int) (ref, []byte) {
	chunks := *a.chunks.Load()
	if len(chunks[a.current])-a.used < n {
		for a.nextSize < a.chunkSize && a.nextSize/4 < n {
			a.nextSize *= 2
		}
		if n > a.nextSize/4 {
			number := a.grow(n)
			return ref(number) << 32, (*a.chunks.Load())[number]
		}
		a.current, a.used = a.grow(a.nextSize), 0
		a.nextSize = min(2*a.nextSize, a.chunkSize)
		chunks = *a.chunks.Load()
	}
	r := ref(a.current)<<32 | ref(a.used)
	b := chunks[a.current][a.used : a.used+n]
	a.used += n
	return r, b
}

// grow adds a chunk of n bytes and returns its number.
func (a *arena) grow(n int) int {
	old := *a.chunks.Load()
	chunks := append(old, a.pool.chunk(n)) // readers of old do not look beyond its length
	a.chunks.Store(&chunks)
	a.reserved += int64(n)
	return len(old)
}

// at is the entry at r, which alloc returned.
func (a *arena) at(r ref) entry {
	return entry((*a.chunks.Load())[r>>32][uint32(r):])
}

// release gives all chunks back. What at returned is somebody else's then, and a reference leads nowhere.
func (a *arena) release() {
	chunks := *a.chunks.Swap(&[][]byte{nil})
	a.current, a.used = 0, 0
	a.pool.take(chunks[1:])
}
