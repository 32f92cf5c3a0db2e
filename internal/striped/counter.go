package striped

import "sync/atomic"

// Counter is a number that many goroutines add to. Make one by NewCounter: in a line of its own each part of it is only
// where the whole begins at one. It must not be copied.
type Counter [Lines]struct {
	n atomic.Int64
	_ [LineSize - 8]byte
}

// NewCounter is a Counter at zero. It takes 4 KiB.
func NewCounter() *Counter { return new(Counter) }

// Add adds n, which may be negative, in the calling goroutine's line.
func (c *Counter) Add(n int64) { c.AddIn(Line(), n) }

// AddIn adds n in a line, for who takes back from the line that it gave to.
func (c *Counter) AddIn(line int, n int64) { c[line].n.Add(n) }

// Sum is what was added. Beside running calls of Add it may lack any of them; of two calls in the same line it never
// has the later without the earlier.
func (c *Counter) Sum() (sum int64) {
	for i := range c {
		sum += c[i].n.Load()
	}
	return sum
}
