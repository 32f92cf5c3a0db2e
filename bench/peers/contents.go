package main

import (
	"bytes"
	"sync/atomic"
)

// contents is what the store must hold: how often each present key was written again. One goroutine at a time may write
// a key; others may check it meanwhile.
type contents struct {
	versions []atomic.Uint32 // with room for keys to come
	keys     int             // that are there: those below it
	size     int             // of a value
}

// newContents has keys keys with values of size bytes, and room for as many more keys as room says.
func newContents(keys, room, size int) *contents {
	return &contents{make([]atomic.Uint32, keys+room), keys, size}
}

// next is the version that the next write of key i has; wrote notes that it was written.
func (c *contents) next(i int) uint32 { return c.versions[i].Load() + 1 }
func (c *contents) wrote(i int)       { c.versions[i].Add(1) }

// check compares a value of key i that was read when the key had version from: it may have been written since, and once
// more by a write that has not returned.
func (c *contents) check(i int, got []byte, from uint32, scratch []byte) error {
	for v := from; v <= c.versions[i].Load()+1; v++ {
		if bytes.Equal(got, appendValue(scratch[:0], i, v, c.size)) {
			return nil
		}
	}
	return wrongValue(i, got)
}
