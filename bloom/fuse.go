package bloom

import (
	"math"
	"math/bits"
)

const (
	// maxFuseWidth bounds a fingerprint's bits: with 32 a maybe for an absent key is rarer than one in four billion.
	maxFuseWidth = 32

	// fuseLeast is the number of keys below which the slots beyond the keys cost more than fingerprints save.
	fuseLeast = 1000

	// smallestSegment and largestSegment bound the logarithm of a segment's slots. Beyond 2^18 slots keys of one
	// segment spread over more memory than the caches hold, and nothing is gained.
	smallestSegment = 2
	largestSegment  = 18

	// fuseSegments is how many segments a key's slots lie in: one in each of three that follow each other.
	fuseSegments = 3
)

// fuseShape is the size of a binary fuse filter (Graf and Lemire, "Binary Fuse Filters: Fast and Smaller Than Xor
// Filters", 2022): slots in segments of equal length. A key has a slot in each of three consecutive segments, and the
// fingerprints there, added up without carry, give the key's own.
type fuseShape struct {
	segments uint64
	shift    uint64 // logarithm of a segment's slots
}

// fuseShapeFor is the shape for so many keys, by formulas like the authors'. Theirs add 2.25 to the logarithm; just
// above the sizes where a segment doubles that leaves too few segments, and of 11 500 keys hardly a seed has a
// solution. With 1.75 one seed in fifty has none, at worst one in eight.
func fuseShapeFor(keys uint64) fuseShape {
	n := math.Log(float64(max(keys, 2)))
	shift := uint64(math.Floor(n/math.Log(3.33) + 1.75))
	shift = min(max(shift, smallestSegment), largestSegment)
	perKey := math.Max(1.125, 0.875+0.25*math.Log(1e6)/n)
	slots := uint64(math.Round(float64(keys) * perKey))
	return fuseShape{segments: max(fuseSegments, slots>>shift+min(1, slots&(1<<shift-1))), shift: shift}
}

func (s fuseShape) slots() uint64 { return s.segments << s.shift }

// width is the bits of a fingerprint that so many bits per key pay for; 0 when they do not pay for one.
func (s fuseShape) width(keys uint64, bitsPerKey float64) uint64 {
	width := math.Floor(float64(keys) * bitsPerKey / float64(s.slots()))
	return uint64(math.Min(width, maxFuseWidth))
}

// fuseKey is what a key's slots and fingerprint are made from: 64 bits of both halves of the hash and the seed.
type fuseKey uint64

func fuseKeyOf(h Hash, seed uint64) fuseKey {
	return fuseKey(remix(remix(h.H1^(seed+1)*mixSeed) + h.H2))
}

// places are the key's three slots. The first is even over all segments but the last two, by the high bits, so that
// keys in their own order are in the order of their slots.
func (s fuseShape) places(k fuseKey) (a, b, c uint64) {
	segment := uint64(1) << s.shift
	a, _ = bits.Mul64(uint64(k), (s.segments-fuseSegments+1)<<s.shift)
	b = (a + segment) ^ (uint64(k)>>largestSegment)&(segment-1)
	c = (a + 2*segment) ^ uint64(k)&(segment-1)
	return a, b, c
}

// fingerprint is so many bits of the key; a product's high bits depend on all of it.
func (k fuseKey) fingerprint(width uint64) uint64 {
	return uint64(k) * mixResult >> (wordBits - width)
}

// fuse is the filter.
type fuse struct {
	facts
	packed
	shape fuseShape
	seed  uint64
}

// MayContain adds up the fingerprints in a key's three slots.
func (f *fuse) MayContain(h Hash) bool {
	k := fuseKeyOf(h, f.seed)
	a, b, c := f.shape.places(k)
	return f.at(a)^f.at(b)^f.at(c) == k.fingerprint(f.packed.width)
}

// fuseRate is the share of absent keys whose slots add up to their fingerprint by chance.
func fuseRate(width uint64) float64 { return math.Ldexp(1, -int(width)) }

// params are a header's: slots, bits of a fingerprint, and the seed with the logarithm of a segment's slots in the byte
// above.
func (s fuseShape) params(width, seed uint64) [numParams]uint64 {
	return [numParams]uint64{s.slots(), width, s.shift<<8 | seed}
}

func parseFuse(h *Header, payload []byte) (TableFilter, error) {
	shape := fuseShapeFor(h.Keys)
	if shape.slots() > maxFuseSlots {
		return nil, damaged(offKeys, "%d keys are more than a fuse filter can have", h.Keys)
	}
	width := shape.width(h.Keys, h.AskedBits)
	if width == 0 {
		return nil, damaged(offAsked, "%g bits per key do not pay for a fingerprint", h.AskedBits)
	}
	seed := h.Params[2] & 0xff
	if seed >= fuseTries {
		return nil, damaged(offParams+2*paramSize, "seed %d, they end at %d", seed, fuseTries)
	}
	want := shape.params(width, seed)
	for i, name := range [numParams]string{"slots", "bits of a fingerprint", "seed and segment"} {
		if err := h.checkParam(i, name, want[i]); err != nil {
			return nil, err
		}
	}
	if want := packedBytes(shape.slots(), width); uint64(len(payload)) != want {
		return nil, damaged(offLength, "%d slots of %d bits, the payload has %d bytes",
			shape.slots(), width, len(payload))
	}
	if err := checkPayload(h, payload); err != nil {
		return nil, err
	}
	f := &fuse{
		facts:  newFacts(h, func() float64 { return fuseRate(width) }),
		packed: parsePacked(payload, width),
		shape:  shape,
		seed:   seed,
	}
	if !f.clean(shape.slots()) {
		return nil, damaged(headerSize+int64(len(payload))-wordBytes, "bits set past the last of %d slots",
			shape.slots())
	}
	return f, nil
}
