package bloom

import (
	"math"
	"math/bits"
)

// positions are where a key's bits are in Bloom's filter: k positions among m by double hashing, h1 + i h2 (Kirsch and
// Mitzenmacher, 2006). The sum is taken modulo 2^64, then modulo m: the textbook's positions, which other programs
// compute too.
type positions struct {
	m       uint64
	inverse uint64 // of m, for position
	probes  int
}

func newPositions(m uint64, probes int) positions {
	return positions{m: m, inverse: math.MaxUint64 / m, probes: probes}
}

// bitArray is Bloom's filter: m bits.
//
// Adding must not run beside anything else; probing alone may run in any number of goroutines.
type bitArray struct {
	positions
	words []uint64
}

func newBitArray(words []uint64, m uint64, probes int) bitArray {
	return bitArray{newPositions(m, probes), words}
}

// position is x mod m. inverse is the largest number below 2^64 over m; with it the quotient comes from a
// multiplication and is at most one too small (Barrett, 1986). A division would cost several times as much
// on many machines.
func position(x, m, inverse uint64) uint64 {
	quotient, _ := bits.Mul64(x, inverse)
	p := x - quotient*m
	once, borrow := bits.Sub64(p, m, 0)
	return once + m&-borrow // without a branch: the correction is needed at random
}

// add sets a key's bits and returns how many were clear before. It counts without a branch: whether a bit is clear
// cannot be foretold.
func (a *bitArray) add(h Hash) (added uint64) {
	x := h.H1
	for range a.probes {
		p := position(x, a.m, a.inverse)
		word := &a.words[p/wordBits]
		added += ^*word >> (p % wordBits) & 1
		*word |= 1 << (p % wordBits)
		x += h.H2
	}
	return added
}

// MayContain reports whether all of a key's bits are set. It looks at two at a time: in cache a branch that cannot be
// foretold costs more than a second look (10 against 21 ns), and out of cache each further look is another miss.
func (a *bitArray) MayContain(h Hash) bool {
	x := h.H1
	left := a.probes
	for ; left > 1; left -= 2 {
		if a.at(x)&a.at(x+h.H2)&1 == 0 {
			return false
		}
		x += 2 * h.H2
	}
	return left == 0 || a.at(x)&1 != 0
}

// at has the bit at x's position as its lowest.
func (a *bitArray) at(x uint64) uint64 {
	p := position(x, a.m, a.inverse)
	return a.words[p/wordBits] >> (p % wordBits)
}

// clean reports whether no bit is set past the last.
func (a *bitArray) clean() bool {
	return a.m%wordBits == 0 || a.words[len(a.words)-1]>>(a.m%wordBits) == 0
}

// countSet is the number of bits that are set.
func (a *bitArray) countSet() (set uint64) {
	for _, w := range a.words {
		set += uint64(bits.OnesCount64(w))
	}
	return set
}

// rateAt is the share of absent keys that get a maybe when so many bits are set.
func (p *positions) rateAt(set uint64) float64 {
	fill := float64(set) / float64(p.m)
	return math.Min(1, math.Pow(fill, float64(p.probes))+doubleHashingExcess(p.m, p.probes, fill))
}

// wordsFor is the number of whole words that hold m bits.
func wordsFor(m uint64) uint64 { return (m + wordBits - 1) / wordBits }

// odd rounds up to an odd number. With an even m a key whose h2 is even would use half of the bits only, and a step
// that shares larger factors with m still fewer.
func odd(m uint64) uint64 { return m | 1 }

// classicBits is the size of a table's classic filter: the bits asked for, rounded up.
func classicBits(keys uint64, bitsPerKey float64) (uint64, error) {
	m := math.Ceil(float64(keys) * bitsPerKey)
	if err := checkSize(m); err != nil {
		return 0, err
	}
	return odd(uint64(m)), nil
}

func newClassicBuilder(bitsPerKey float64) Builder {
	return &arrayBuilder{family: FamilyClassic, bitsPerKey: bitsPerKey, fill: fillClassic}
}

// fillClassic makes the filter at the size that the number of keys asks for.
func fillClassic(h *Header, keys *hashList) ([]uint64, error) {
	m, err := classicBits(h.Keys, h.AskedBits)
	if err != nil {
		return nil, err
	}
	a := newBitArray(make([]uint64, wordsFor(m)), m, OptimalProbes(m, h.Keys))
	keys.drain(func(chunk []Hash) {
		for _, hash := range chunk {
			a.add(hash)
		}
	})
	h.Params = [numParams]uint64{m, uint64(a.probes)}
	return a.words, nil
}

type classic struct {
	facts
	bitArray
}

func parseClassic(h *Header, payload []byte) (TableFilter, error) {
	m, err := classicBits(h.Keys, h.AskedBits)
	if err != nil {
		return nil, damaged(offKeys, "%d keys of %g bits are more than a filter can have", h.Keys, h.AskedBits)
	}
	if err := h.checkParam(0, "bits", m); err != nil {
		return nil, err
	}
	a, err := parseBitArray(h, payload)
	if err != nil {
		return nil, err
	}
	keys, probes := h.Keys, a.probes
	rate := func() float64 { return classicRate(m, keys, probes) }
	return &classic{newFacts(h, rate), a}, nil
}

// parseBitArray checks parameters 0 and 1, bits and probes, against the payload, and decodes it.
func parseBitArray(h *Header, payload []byte) (bitArray, error) {
	m := h.Params[0]
	if m == 0 || m > maxBits || uint64(len(payload)) != wordsFor(m)*wordBytes {
		return bitArray{}, damaged(offParams, "%d bits, the payload has %d bytes", m, len(payload))
	}
	if err := h.checkProbes(maxProbes); err != nil {
		return bitArray{}, err
	}
	if err := h.checkParam(2, "unused parameter", 0); err != nil {
		return bitArray{}, err
	}
	if err := checkPayload(h, payload); err != nil {
		return bitArray{}, err
	}
	a := newBitArray(decodeWords(payload), m, int(h.Params[1]))
	if !a.clean() {
		return bitArray{}, damaged(headerSize+int64(len(payload))-wordBytes, "bits set past the last of %d", m)
	}
	return a, nil
}
