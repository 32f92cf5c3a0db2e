package iter

import (
	"sort"

	"siftdb/internal/key"
)

// NewConcat runs through n sources whose key ranges are disjoint and ascending, such as the tables of one level.
// At most one source is open at a time; a seek opens only the source that its key falls into.
//
// bounds gives the smallest and largest key of source i; they may be wider than what it holds, as long as the
// ranges stay disjoint. They are read during the call only. open makes the iterator of source i; an error ends
// the walk, as an error of the source does. The concat owns what it opened and closes it before it opens another.
func NewConcat(n int, bounds func(i int) (smallest, largest key.Key), open func(i int) (Iterator, error)) Iterator {
	return &concat{n: n, bounds: bounds, open: open, index: -1}
}

// concat is the iterator of NewConcat.
type concat struct {
	n      int
	bounds func(i int) (smallest, largest key.Key)
	open   func(i int) (Iterator, error)

	// source is the open one, number index; nil and -1 when none is. It stays open when the walk has left it at an
	// end, since the next seek often falls into it again.
	source Iterator
	index  int
	valid  bool
	err    error
	closed bool
}

func (c *concat) First() bool {
	return c.use(0) && (c.at(c.source.First()) || c.onward())
}

func (c *concat) Last() bool {
	return c.use(c.n-1) && (c.at(c.source.Last()) || c.back())
}

func (c *concat) SeekGE(k key.Key) bool {
	i := sort.Search(c.n, func(i int) bool {
		_, largest := c.bounds(i)
		return key.Compare(largest, k) >= 0
	})
	return c.use(i) && (c.at(c.source.SeekGE(k)) || c.onward())
}

func (c *concat) SeekLT(k key.Key) bool {
	i := sort.Search(c.n, func(i int) bool {
		smallest, _ := c.bounds(i)
		return key.Compare(smallest, k) >= 0
	})
	return c.use(i-1) && (c.at(c.source.SeekLT(k)) || c.back())
}

func (c *concat) Next() bool    { return c.at(c.source.Next()) || c.onward() }
func (c *concat) Prev() bool    { return c.at(c.source.Prev()) || c.back() }
func (c *concat) Valid() bool   { return c.valid }
func (c *concat) Key() key.Key  { return c.source.Key() }
func (c *concat) Value() []byte { return c.source.Value() }
func (c *concat) Err() error    { return c.err }

func (c *concat) Close() error {
	if c.closed {
		return c.err
	}
	c.closed, c.valid = true, false
	if err := c.shut(); c.err == nil {
		c.err = err
	}
	return c.err
}

// use makes source i the open one, at no entry yet. It reports false when there is no such source, which is
// where a walk ends, or when it cannot be opened.
func (c *concat) use(i int) bool {
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
	source, err := c.open(i)
	if err != nil {
		c.err = err
		return false
	}
	c.source, c.index = source, i
	return true
}

// at notes whether the last move of the source came to an entry.
func (c *concat) at(moved bool) bool {
	c.valid = moved
	if !moved {
		c.err = c.source.Err()
	}
	return moved
}

// onward goes to the first entry of the sources after the open one, which has run out or failed.
func (c *concat) onward() bool {
	for c.err == nil && c.use(c.index+1) {
		if c.at(c.source.First()) {
			return true
		}
	}
	return false
}

// back goes to the last entry of the sources before the open one, which has run out or failed.
func (c *concat) back() bool {
	for c.err == nil && c.use(c.index-1) {
		if c.at(c.source.Last()) {
			return true
		}
	}
	return false
}

// shut closes the open source, if there is one. An error that the source had before was told when it happened.
func (c *concat) shut() error {
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
