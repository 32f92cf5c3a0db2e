package db

import "iter"

// Scan runs over the entries of r in the order of keys (Range.Reverse: against it), as they are when the loop
// starts; ranging again starts anew. Keys and values are copies that belong to the caller. An error comes once,
// as the last pair, with a zero Entry. Leaving the loop early is fine.
func (db *DB) Scan(r Range, opts ...ReadOption) iter.Seq2[Entry, error] { return scan(db, r, opts) }

func scan(from Reader, r Range, opts []ReadOption) iter.Seq2[Entry, error] {
	r = r.clone() // the loop may start long after the caller has used its bounds for something else
	return func(yield func(Entry, error) bool) {
		it := from.NewIter(r, opts...)
		defer it.Close() // also when the loop's body panics
		var copies chunk
		for k, v := range it.All() {
			e := Entry{Key: copies.copy(k)}
			if v != nil {
				e.Value = copies.copy(v)
			}
			if !yield(e, nil) {
				return
			}
		}
		if err := it.Err(); err != nil {
			yield(Entry{}, err)
		}
	}
}

// chunk hands out copies cut from larger pieces of memory, so that a scan of small entries allocates once for
// many of them.
type chunk struct{ free []byte }

const chunkSize = 4 << 10

// copy returns a copy of b that nothing else will be appended to.
func (c *chunk) copy(b []byte) []byte {
	if len(b) == 0 {
		return []byte{} // not nil, and free
	}
	if len(b) > chunkSize/4 {
		return append(make([]byte, 0, len(b)), b...)
	}
	if len(b) > len(c.free) {
		c.free = make([]byte, chunkSize)
	}
	n := copy(c.free, b)
	piece := c.free[:n:n]
	c.free = c.free[n:]
	return piece
}
