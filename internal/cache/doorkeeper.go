package cache

import (
	"encoding/binary"

	"siftdb/bloom"
)

const (
	// doorMinimum is how many blocks a doorkeeper remembers at least.
	doorMinimum = 256
	// doorSpan is how many times as many blocks as its shard holds a doorkeeper remembers.
	doorSpan = 2
	// doorRate is how often a block that never came is taken for one that did. Such a block is merely
	// counted one higher.
	doorRate = 0.01
)

// doorkeeper remembers which blocks came once: between as many as it is told and twice that. It is two filters; when
// the younger is full it becomes the elder, and the elder's memory ends. The zero value remembers nothing. One
// goroutine at a time.
type doorkeeper struct {
	young, old *bloom.Filter
	room       int      // how many more the young one takes
	name       [16]byte // the ID at hand as filters see it; here, so that it need not be allocated
}

// remember notes a block; blocks is how many are to be remembered.
func (d *doorkeeper) remember(id ID, blocks int) {
	if d.room == 0 {
		n := max(doorMinimum, blocks)
		fresh, err := bloom.New(n, doorRate)
		if err != nil {
			panic(err) // n and the rate are ours
		}
		d.old, d.young, d.room = d.young, fresh, n
	}
	d.room--
	d.young.Add(d.bytes(id))
}

// knows reports whether a block was noted lately.
func (d *doorkeeper) knows(id ID) bool {
	b := d.bytes(id)
	return d.young != nil && d.young.MayContain(b) || d.old != nil && d.old.MayContain(b)
}

func (d *doorkeeper) bytes(id ID) []byte {
	binary.LittleEndian.PutUint64(d.name[:8], id.File)
	binary.LittleEndian.PutUint64(d.name[8:], id.Offset)
	return d.name[:]
}
