//go:build race

package memtable

import (
	"bytes"
	"testing"

	"siftdb/internal/key"
)

// TestReleasedMemoryIsOverwritten: with the race detector on, a value that somebody holds beyond Release is not what it
// was, so that the tests of whoever holds it fail.
func TestReleasedMemoryIsOverwritten(t *testing.T) {
	for _, table := range []*Table{New(0), NewPool(0).New(), NewPool(1 << 20).New()} {
		for i := range 1000 {
			addNumbered(table, i)
		}
		var held [][]byte
		for i := range 1000 {
			value, _, _ := table.Get(numbered(i), key.MaxSeq)
			held = append(held, value)
		}
		table.Release()
		for i, value := range held {
			if bytes.Equal(value, numbered(i)) {
				t.Fatalf("value %d is still what it was", i)
			}
		}
	}
}
