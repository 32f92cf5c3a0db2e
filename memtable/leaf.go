package memtable

import (
	"encoding/binary"
	"math"
)

// leaf is a run of user keys that follow each other in a tree: for each, its head and the newest of its versions,
// ascending. It lies in the arena, as laid out in doc.go, so that the collector knows nothing of it.
//
// The heads are together, and the references too: a search looks at heads, of which a cache line has eight, and at one
// reference in the end.
type leaf []byte

const (
	// leafKeys is how many keys a leaf has room for. Half of them move when one is added, and the tree above has one
	// separator for each leaf.
	leafKeys = 126

	leafHeader   = 24
	headsAt      = leafHeader
	referencesAt = headsAt + 8*leafKeys
	leafSize     = referencesAt + 8*leafKeys
)

// leafAt is the leaf at r.
func (a *arena) leafAt(r ref) leaf { return leaf(a.at(r)[:leafSize:leafSize]) }

// newLeaf is a leaf without keys or neighbours.
func (a *arena) newLeaf() (ref, leaf) {
	r, b := a.alloc(leafSize)
	clear(b[:leafHeader])
	return r, leaf(b)
}

func (l leaf) next() ref     { return ref(binary.LittleEndian.Uint64(l[0:])) }
func (l leaf) previous() ref { return ref(binary.LittleEndian.Uint64(l[8:])) }
func (l leaf) len() int      { return int(binary.LittleEndian.Uint64(l[16:])) }

func (l leaf) setNext(r ref)     { binary.LittleEndian.PutUint64(l[0:], uint64(r)) }
func (l leaf) setPrevious(r ref) { binary.LittleEndian.PutUint64(l[8:], uint64(r)) }
func (l leaf) setLen(n int)      { binary.LittleEndian.PutUint64(l[16:], uint64(n)) }

func (l leaf) head(i int) uint64 { return binary.LittleEndian.Uint64(l[headsAt+8*i:]) }
func (l leaf) newest(i int) ref  { return ref(binary.LittleEndian.Uint64(l[referencesAt+8*i:])) }

func (l leaf) setHead(i int, head uint64) { binary.LittleEndian.PutUint64(l[headsAt+8*i:], head) }
func (l leaf) setNewest(i int, r ref)     { binary.LittleEndian.PutUint64(l[referencesAt+8*i:], uint64(r)) }

func (l leaf) full() bool { return l.len() == leafKeys }

// insert makes a key the i-th, in a leaf that is not full.
func (l leaf) insert(i int, head uint64, newest ref) {
	n := l.len()
	copy(l[headsAt+8*(i+1):headsAt+8*(n+1)], l[headsAt+8*i:])
	copy(l[referencesAt+8*(i+1):referencesAt+8*(n+1)], l[referencesAt+8*i:])
	l.setHead(i, head)
	l.setNewest(i, newest)
	l.setLen(n + 1)
}

// copyFrom makes the keys of other from the i-th on those of l, which has none.
func (l leaf) copyFrom(other leaf, i int) {
	n := other.len() - i
	copy(l[headsAt:headsAt+8*n], other[headsAt+8*i:])
	copy(l[referencesAt:referencesAt+8*n], other[referencesAt+8*i:])
	l.setLen(n)
}

// firstNotBelow is the first key, from the i-th on, whose head is not below head; len() when there is none. It has
// branches on purpose: a processor that guesses them asks for the heads that come next before it has the first, which
// is worth more, in a leaf that is in no cache, than what wrong guesses cost.
func (l leaf) firstNotBelow(i int, head uint64) int {
	low, high := i, l.len()
	for low < high {
		middle := int(uint(low+high) / 2)
		if l.head(middle) < head {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// firstAbove is the first key, from the i-th on, whose head is above head.
func (l leaf) firstAbove(i int, head uint64) int {
	if head == math.MaxUint64 {
		return l.len()
	}
	return l.firstNotBelow(i, head+1)
}

// copyUp copies the references from the i-th on to the start of dst, as many as there are or dst has room for.
func (l leaf) copyUp(i int, dst []ref) (n int) {
	for end := l.len(); i < end && n < len(dst); i++ {
		dst[n] = l.newest(i)
		n++
	}
	return n
}

// copyDown copies the references before the i-th to the end of dst, as many as there are or dst has room for.
func (l leaf) copyDown(i int, dst []ref) (n int) {
	for n < i && n < len(dst) {
		n++
		dst[len(dst)-n] = l.newest(i - n)
	}
	return n
}

// takeHeads makes the first of fresh the heads of the keys, and returns the rest.
func (l leaf) takeHeads(fresh []uint64) []uint64 {
	n := l.len()
	for i, head := range fresh[:n] {
		l.setHead(i, head)
	}
	return fresh[n:]
}
