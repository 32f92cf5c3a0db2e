package bloom

import "math/bits"

const (
	// ribbonWidth is the width of a key's row: it covers so many slots from its start on. With 128 at most a twentieth
	// of slots beyond the keys is enough at any size; with 64 it would take a seventh.
	ribbonWidth = 128

	// maxPlanes bounds the planes of one filter: with 16 a maybe for an absent key is rarer than one in 65 000.
	maxPlanes = 16

	// ribbonLeast is the number of keys from which on a plane takes less than the 1.44 bits a key that a Bloom filter
	// takes to halve its rate; below, rows as wide as the whole table cost more.
	ribbonLeast = 134

	// largestPart bounds the keys that are solved at once, about, and with them what a builder needs beside the hashes:
	// 18 bytes a slot for the equations, 8 a key to put the keys in order.
	largestPart = 4 << 20
	// maxParts is more than the largest filter needs.
	maxParts = 1 << 16
)

// ribbonTries is how often a part is tried, each time with the next seed. The first is enough for more than nine of ten
// sets of keys, the sixth for nearly all; a set for which none is has many keys whose hashes are alike.
const ribbonTries = 12

// ribbonSpare is how many slots a try has beyond the keys, in ten-thousandths of the keys: 2.5 % for up to 4000 keys, a
// quarter of a percent more each time they double, and much more when that has failed often. What is needed grows with
// the logarithm of the keys (Dillinger and Walzer, 2021); how much it is was measured.
func ribbonSpare(keys, seed uint64) uint64 {
	switch {
	case seed < 6:
		return 250 + 25*uint64(bits.Len64(keys/4096))
	case seed < 9:
		return 1000
	}
	return 2500
}

// ribbonSlots is the number of slots of a part: the keys and the spare slots, in whole words, and no fewer than
// a row has.
func ribbonSlots(keys, seed uint64) uint64 {
	slots := keys + (keys*ribbonSpare(keys, seed)+9999)/10_000
	return max(ribbonWidth, (slots+wordBits-1)/wordBits*wordBits)
}

// partOf is the part of a key: even over the parts by the first half of its hash, whatever the seeds.
func partOf(h Hash, parts uint64) uint64 {
	part, _ := bits.Mul64(h.H1, parts)
	return part
}

// Odd numbers without a pattern: the fractional parts of the square roots of 2, 3, 5 and 7.
const (
	mixSeed   = 0x6a09e667f3bcc909
	mixLow    = 0xbb67ae8584caa73b
	mixHigh   = 0x3c6ef372fe94f82b
	mixResult = 0xa54ff53a5f1d36f1
)

// ribbonKey is what a key's equation is made from: 64 bits of both halves of the hash and the seed. Its order is the
// order of the starts.
type ribbonKey uint64

func ribbonKeyOf(h Hash, seed uint64) ribbonKey {
	return ribbonKey((remix(h.H1^(seed+1)*mixSeed) + h.H2) * goldenRatio)
}

// start is the first slot of the key's row, among so many.
func (k ribbonKey) start(starts uint64) uint64 {
	s, _ := bits.Mul64(uint64(k), starts)
	return s
}

// row is the key's row: which of the 128 slots from its start on it adds up. The lowest bit of low is slot start itself
// and always set.
func (k ribbonKey) row() (low, high uint64) {
	low, high = uint64(k)*mixLow, uint64(k)*mixHigh
	return low ^ low>>32 | 1, high ^ high>>32
}

// result is the key's result, a bit for each plane.
func (k ribbonKey) result() uint16 {
	return uint16(uint64(k) * mixResult >> 48)
}
