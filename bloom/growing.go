package bloom

import (
	"math"
	"sync/atomic"
)

// Growing is a filter over a set that grows while it is asked, and of which nobody knows how large it will get. It is a
// list of blocked filters, each for as many keys as all before it together and at half the rate of the last, so that
// the rates together never exceed what was asked for (Almeida, Baquero, Preguiça and Hutchison, "Scalable Bloom
// Filters", 2007).
//
// One goroutine at a time may Add; any number may call the other methods, beside the one that adds, without a lock. All
// of a key's bits are stored when Add returns, and none is ever cleared: whoever learns of the key afterwards, in a
// synchronised way, gets a maybe.
type Growing struct {
	newest atomic.Pointer[growingSlice]
	bits   atomic.Uint64

	// The rest is the adder's; it is about the slice that comes next.
	room     int // keys that the newest slice still takes
	capacity int // keys of the next
	halvings int // its rate is 2^-halvings
}

// smallestSlice is the fewest keys that a Growing makes room for.
const smallestSlice = 32

// blockedHalvings[i] is the bits per key at which a blocked filter of many lines has a rate of 2^-(i+1), by the exact
// theory. A test computes it anew.
var blockedHalvings = [...]float64{
	1.443, 2.890, 4.349, 5.830, 7.340, 8.888, 10.483, 12.134, 13.843, 15.609, 17.457, 19.396, 21.436, 23.564, 25.802,
	28.171,
}

// NewGrowing makes an empty filter that answers maybe for a share falsePositives of absent keys, or fewer, however many
// keys are added. It is smallest and fastest when expect, the number of keys that will be added, is about right; 0 is
// for not known. It takes no memory before the first Add. The share is a fraction of at least 1e-3 and less than 1,
// anything else a fault of the caller: NewGrowing panics.
func NewGrowing(expect int, falsePositives float64) *Growing {
	const lowest = 1e-3 // below it lines flatten out
	if !(falsePositives >= lowest && falsePositives < 1) {
		panic(&ParameterError{Name: "rate of false positives", Value: falsePositives,
			Allowed: "a fraction of at least 1e-3 and less than 1"})
	}
	return &Growing{
		capacity: max(expect, smallestSlice),
		halvings: 1 + int(math.Ceil(-math.Log2(falsePositives))),
	}
}

// Add puts a key in. One that is taken for present already, rightly or not, is not put in again: all its bits are set.
func (g *Growing) Add(h Hash) {
	if g.MayContain(h) {
		return
	}
	if g.room == 0 {
		g.grow()
	}
	g.newest.Load().add(h)
	g.room--
}

// grow starts the next slice.
func (g *Growing) grow() {
	halvings := min(g.halvings, len(blockedHalvings))
	lines := blockedLinesFor(g.capacity, blockedHalvings[halvings-1])
	s := &growingSlice{
		older:  g.newest.Load(),
		words:  make([]atomic.Uint64, lines*lineWords),
		lines:  lines,
		probes: BlockedProbes(lines, uint64(g.capacity)),
	}
	g.newest.Store(s)
	g.bits.Store(g.bits.Load() + lines*lineBits)
	g.room = g.capacity
	if s.older != nil {
		g.capacity *= 2
	}
	g.halvings++
}

// blockedLinesFor is a whole number of lines, one at least.
func blockedLinesFor(keys int, bitsPerKey float64) uint64 {
	return uint64(math.Ceil(float64(keys) * bitsPerKey / lineBits))
}

// MayContain reports false only when no key with this hash was added. True means maybe.
func (g *Growing) MayContain(h Hash) bool {
	for s := g.newest.Load(); s != nil; s = s.older {
		if s.mayContain(h) {
			return true
		}
	}
	return false
}

// Bits is the memory of the filter.
func (g *Growing) Bits() uint64 { return g.bits.Load() }

// growingSlice is a lineArray whose words are read while they are written.
type growingSlice struct {
	older  *growingSlice
	words  []atomic.Uint64
	lines  uint64
	probes int
}

func (s *growingSlice) line(h Hash) *[lineWords]atomic.Uint64 {
	return (*[lineWords]atomic.Uint64)(s.words[lineOf(h.H1, s.lines)*lineWords:])
}

// add sets a key's bits, those of one word at once: a store that others see at once costs more than all the rest. It
// needs no read-modify-write, since nobody else writes.
func (s *growingSlice) add(h Hash) {
	var set [lineWords]uint64
	half := h.H2
	for left := s.probes; left > 0; left -= slicesPerWord {
		slices := half
		for range min(left, slicesPerWord) {
			set[slices/wordBits%lineWords] |= 1 << (slices % wordBits)
			slices >>= sliceBits
		}
		half = remix(half)
	}
	line := s.line(h)
	for i, bits := range set {
		if old := line[i].Load(); old|bits != old {
			line[i].Store(old | bits)
		}
	}
}

// mayContain looks at all of a key's bits, as lineArray does.
func (s *growingSlice) mayContain(h Hash) bool {
	line := s.line(h)
	half := h.H2
	set := ^uint64(0)
	for left := s.probes; left > 0; left -= slicesPerWord {
		slices := half
		for range min(left, slicesPerWord) {
			set &= line[slices/wordBits%lineWords].Load() >> (slices % wordBits)
			slices >>= sliceBits
		}
		half = remix(half)
	}
	return set&1 != 0
}
