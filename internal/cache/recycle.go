package cache

import "sync"

// Who gets a packed block looks at it only for as long as uncompressing takes, and says when that is over. So the bytes
// of one that is let go can be another's, if the cache has made them and nobody looks at them. Else each block that
// comes would leave as much garbage as it brings: where more are asked for than the cache holds, the heap would grow to
// twice the cache before the collector looks for it.

// gone is what pins of an entry is when its bytes are another's.
const gone = -1

// pin keeps the bytes of an entry from becoming another's until unpin. It reports false when they have.
func (e *entry) pin() bool {
	if !e.recycled {
		return true
	}
	for {
		n := e.pins.Load()
		if n == gone {
			return false
		}
		if e.pins.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

func (e *entry) unpin() {
	if e.recycled {
		e.pins.Add(-1)
	}
}

// reclaim is the bytes of an entry that was let go, for another; nil if somebody looks at them, or may later.
func (e *entry) reclaim() []byte {
	if e.recycled && e.pins.CompareAndSwap(0, gone) {
		return e.bytes
	}
	return nil
}

const (
	// mostSpares is how many pieces of memory wait for a block: about as many are let go as come, so that few do, but not
	// each has the size that is wanted next.
	mostSpares = 16
	// largestSpare bounds them, in bytes.
	largestSpare = 64 << 10
	// sizeStep is what sizes are rounded up to, in bytes, so that blocks of nearly the same size can follow each other.
	sizeStep = 32
)

// spares are pieces of memory for blocks to come. The zero value has none. Any number of goroutines may use it.
type spares struct {
	mu   sync.Mutex
	kept [mostSpares][]byte
	next int // the place that is overwritten next
}

// give takes bytes that nobody looks at any more; nil is nothing.
func (s *spares) give(bytes []byte) {
	if bytes == nil || cap(bytes) > largestSpare {
		return
	}
	poison(bytes[:cap(bytes)])
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept[s.next] = bytes
	s.next = (s.next + 1) % mostSpares
}

// mostOver is by how many bytes room for n is larger at most.
func mostOver(n int) int { return max(n/8, sizeStep-1) }

// mostOfCopy is the most bytes that a copy of b takes.
func mostOfCopy(b Block) int64 {
	n := len(b.Bytes)
	if b.Form == Packed {
		n += mostOver(n)
	}
	return int64(n)
}

// take is room for n bytes and up to mostOver more.
func (s *spares) take(n int) []byte {
	if n <= largestSpare {
		s.mu.Lock()
		defer s.mu.Unlock()
		for i, bytes := range s.kept {
			if cap(bytes) >= n && cap(bytes) <= n+mostOver(n) {
				s.kept[i] = nil
				return bytes[:0]
			}
		}
	}
	return make([]byte, 0, (n+sizeStep-1)/sizeStep*sizeStep)
}
