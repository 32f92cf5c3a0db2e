package iter

import (
	"sort"

	"siftdb/internal/key"
)

// Parts are sources whose key ranges are disjoint and ascending, such as the tables of one level.
type Parts interface {
	// Len is how many there are.
	Len() int
	// Bounds gives the smallest and largest key of source i, which Concat does not keep; they may be wider than what
	// it holds, as long as the ranges stay disjoint.
	Bounds(i int) (smallest, largest key.Key)
	// Open makes the iterator of source i. The one before it is closed by then, and may be the same one.
	Open(i int) (Iterator, error)
}

// Concat runs through parts. At most one of them is open at a time; a seek opens only the one that its key falls
// into. An error of Open ends the walk, as an error of the source does. The concat owns what it opened and closes it
// before it opens another. The zero value has no parts.
type Concat struct {
	parts Parts
	n     int

	// source is the open one, number index; nil and -1 when none is. It stays open when the walk has left it at an
	// end, since the next seek often falls into it again.
	source Iterator
	index  int
	valid  bool
	err    error
	closed bool
}

// Reset makes the concat, which is closed or new, one of other parts.
func (c *Concat) Reset(parts Parts) { *c = Concat{parts: parts, n: parts.Len(), index: -1} }

// First implements Iterator.
func (c *Concat) First() bool {
	return c.use(0) && (c.at(c.source.First()) || c.onward())
}

// Last implements Iterator.
func (c *Concat) Last() bool {
	return c.use(c.n-1) && (c.at(c.source.Last()) || c.back())
}

// SeekGE implements Iterator.
func (c *Concat) SeekGE(k key.Key) bool {
	i := sort.Search(c.n, func(i int) bool {
		_, largest := c.parts.Bounds(i)
		return key.Compare(largest, k) >= 0
	})
	return c.use(i) && (c.at(c.source.SeekGE(k)) || c.onward())
}

// SeekLT implements Iterator.
func (c *Concat) SeekLT(k key.Key) bool {
	i := sort.Search(c.n, func(i int) bool {
		smallest, _ := c.parts.Bounds(i)
		return key.Compare(smallest, k) >= 0
	})
	return c.use(i-1) && (c.at(c.source.SeekLT(k)) || c.back())
}

// Next implements Iterator.
func (c *Concat) Next() bool { return c.at(c.source.Next()) || c.onward() }

// Prev implements Iterator.
func (c *Concat) Prev() bool { return c.at(c.source.Prev()) || c.back() }

// Valid implements Iterator.
func (c *Concat) Valid() bool { return c.valid }

// Key implements Iterator.
func (c *Concat) Key() key.Key { return c.source.Key() }

// Value implements Iterator.
func (c *Concat) Value() []byte { return c.source.Value() }

// Err implements Iterator.
func (c *Concat) Err() error { return c.err }

// Close implements Iterator.
func (c *Concat) Close() error {
	if c.closed {
		return c.err
	}
	c.closed, c.valid, c.n = true, false, 0
	if err := c.shut(); c.err == nil {
		c.err = err
	}
	return c.err
}

// use makes source i the open one, at no entry yet. It reports false when there is no such source, which is
// where a walk ends, or when it cannot be opened.
func (c *Concat) use(i int) bool {
	if c.closed {
		return false
	}
	c.valid, c.err = false, nil
	if i < 0 || i >= c.n {
		return false
	}
	if i == c.index {
		return true
	}
	if c.err = c.shut(); c.err != nil {
		return false
	}
	source, err := c.parts.Open(i)
	if err != nil {
		c.err = err
		return false
	}
	c.source, c.index = source, i
	return true
}

// at notes whether the last move of the source came to an entry.
func (c *Concat) at(moved bool) bool {
	c.valid = moved
	if !moved {
		c.err = c.source.Err()
	}
	return moved
}

// onward goes to the first entry of the sources after the open one, which has run out or failed.
func (c *Concat) onward() bool {
	for c.err == nil && c.use(c.index+1) {
		if c.at(c.source.First()) {
			return true
		}
	}
	return false
}

// back goes to the last entry of the sources before the open one, which has run out or failed.
func (c *Concat) back() bool {
	for c.err == nil && c.use(c.index-1) {
		if c.at(c.source.Last()) {
			return true
		}
	}
	return false
}

// shut closes the open source, if there is one. An error that the source had before was told when it happened.
func (c *Concat) shut() error {
	if c.source == nil {
		return nil
	}
	told := c.source.Err() != nil
	err := c.source.Close()
	c.source, c.index = nil, -1
	if told {
		return nil
	}
	return err
}
