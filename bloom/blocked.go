package bloom

import (
	"math"
	"math/bits"
)

const (
	lineBits  = 512
	lineWords = lineBits / wordBits

	// maxBlockedProbes bounds the probes into one line. More are best only above 40 bits per key, far beyond where
	// lines pay.
	maxBlockedProbes = 16

	// slicesPerWord is how many 9-bit positions within a line one half of the hash gives.
	slicesPerWord = 7
	sliceBits     = 9

	// goldenRatio is 2^64 over the golden ratio; odd, so that a multiplication by it loses nothing.
	goldenRatio = 0x9e3779b97f4a7c15
)

// blockedSteps[i] is the number of bits per key from which i+2 probes have a lower rate than i+1, by the exact theory
// for many lines. A test computes it anew.
var blockedSteps = [maxBlockedProbes - 1]float64{
	2.0820, 3.5842, 5.1037, 6.6734, 8.3171, 10.0580, 11.9206, 13.9323, 16.1231, 18.5275, 21.1846, 24.1396, 27.4448,
	31.1612, 35.3603,
}

func blockedProbes(bitsPerKey float64) int {
	k := 1
	for k < maxBlockedProbes && bitsPerKey >= blockedSteps[k-1] {
		k++
	}
	return k
}

// lineArray is a blocked Bloom filter (Putze, Sanders and Singler, 2007): one hash half picks a line of 64 bytes, the
// other the bits in it, so that a probe costs one cache line. A line's bits come from slices of that half, never from
// double hashing: 512 bits have too few progressions, and at 20 bits per key that costs ten times the rate.
//
// Adding must not run beside anything else; probing alone may run in any number of goroutines.
type lineArray struct {
	words  []uint64
	lines  uint64
	probes int
}

func newLineArray(words []uint64, probes int) lineArray {
	return lineArray{words: words, lines: uint64(len(words)) / lineWords, probes: probes}
}

// lineOf is the high word of h1 times lines: even over the lines, without a division (Lemire, 2019).
func lineOf(h1, lines uint64) uint64 {
	line, _ := bits.Mul64(h1, lines)
	return line
}

func (a *lineArray) line(h Hash) *[lineWords]uint64 {
	return (*[lineWords]uint64)(a.words[lineOf(h.H1, a.lines)*lineWords:])
}

// remix makes the next word of slices. The product's low bits depend on the low bits alone, which would tie the first
// slice to the first of the word before; its high bits depend on all, so they are folded in.
func remix(word uint64) uint64 {
	word *= goldenRatio
	return word ^ word>>32
}

// add sets a key's bits.
func (a *lineArray) add(h Hash) {
	line := a.line(h)
	half := h.H2
	for left := a.probes; left > 0; left -= slicesPerWord {
		slices := half
		for range min(left, slicesPerWord) {
			line[slices/wordBits%lineWords] |= 1 << (slices % wordBits)
			slices >>= sliceBits
		}
		half = remix(half)
	}
}

// MayContain reports whether all of a key's bits are set. It looks at all of them whatever it finds: in cache a branch
// that cannot be foretold costs more than the bits that are left, and they are in the line that is there already.
func (a *lineArray) MayContain(h Hash) bool {
	line := a.line(h)
	half := h.H2
	set := ^uint64(0)
	for left := a.probes; left > 0; left -= slicesPerWord {
		slices := half
		for range min(left, slicesPerWord) {
			set &= line[slices/wordBits%lineWords] >> (slices % wordBits)
			slices >>= sliceBits
		}
		half = remix(half)
	}
	return set&1 != 0
}

// blockedLines is the size of a table's blocked filter: the bits asked for, rounded up to whole lines.
func blockedLines(keys uint64, bitsPerKey float64) (uint64, error) {
	lines := math.Ceil(float64(keys) * bitsPerKey / lineBits)
	if err := checkSize(lines * lineBits); err != nil {
		return 0, err
	}
	return uint64(lines), nil
}

func newBlockedBuilder(bitsPerKey float64) Builder {
	return &arrayBuilder{family: FamilyBlocked, bitsPerKey: bitsPerKey, fill: fillBlocked}
}

// fillBlocked makes the filter at the size that the number of keys asks for.
func fillBlocked(h *Header, keys *hashList) ([]uint64, error) {
	lines, err := blockedLines(h.Keys, h.AskedBits)
	if err != nil {
		return nil, err
	}
	a := newLineArray(make([]uint64, lines*lineWords), BlockedProbes(lines, h.Keys))
	keys.drain(func(chunk []Hash) {
		for _, hash := range chunk {
			a.add(hash)
		}
	})
	h.Params = [numParams]uint64{lines, uint64(a.probes)}
	return a.words, nil
}

type blocked struct {
	facts
	lineArray
}

func parseBlocked(h *Header, payload []byte) (TableFilter, error) {
	lines, err := blockedLines(h.Keys, h.AskedBits)
	if err != nil {
		return nil, damaged(offKeys, "%d keys of %g bits are more than a filter can have", h.Keys, h.AskedBits)
	}
	if err := h.checkParam(0, "lines", lines); err != nil {
		return nil, err
	}
	if want := lines * lineWords * wordBytes; uint64(len(payload)) != want {
		return nil, damaged(offLength, "%d lines, the payload has %d bytes", lines, len(payload))
	}
	if err := h.checkProbes(maxBlockedProbes); err != nil {
		return nil, err
	}
	if err := h.checkParam(2, "unused parameter", 0); err != nil {
		return nil, err
	}
	if err := checkPayload(h, payload); err != nil {
		return nil, err
	}
	a := newLineArray(decodeWords(payload), int(h.Params[1]))
	keys, probes := h.Keys, a.probes
	rate := func() float64 { return BlockedRate(lines, keys, probes) }
	return &blocked{newFacts(h, rate), a}, nil
}
