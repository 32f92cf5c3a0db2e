package bloom

import (
	"math/bits"
	"slices"
)

// bucketSlots is the number of slots of which what a builder keeps stays in a first-level cache.
const bucketSlots = 1 << 10

// inOrder makes what a family calls a key from each hash, and puts them in order by their high bits, which say where in
// so many slots a key begins: as far as it takes for keys that follow each other to be near each other. In the order of
// the table each would touch memory at random. It uses the memory of dst if it has enough.
func inOrder[Key ~uint64](dst []Key, hashes *hashList, slots uint64, keyOf func(Hash) Key) []Key {
	shift := wordBits - bits.Len64(slots/bucketSlots)
	ends := make([]int, 1<<(wordBits-shift)+1)
	hashes.each(func(chunk []Hash) {
		for _, h := range chunk {
			ends[keyOf(h)>>shift+1]++
		}
	})
	for i := 1; i < len(ends); i++ {
		ends[i] += ends[i-1]
	}
	ordered := slices.Grow(dst[:0], hashes.n)[:hashes.n]
	hashes.each(func(chunk []Hash) {
		for _, h := range chunk {
			k := keyOf(h)
			at := &ends[k>>shift]
			ordered[*at] = k
			*at++
		}
	})
	return ordered
}
