package bloom

import (
	"cmp"
	"math"
	"slices"
)

const (
	// fuseTries is how often a set of keys is tried, each time with the next seed. One in hundreds needs a second.
	fuseTries = 12

	// fuseTwins is the number of tries after which keys are looked through for some that came twice, which no seed can
	// tell apart.
	fuseTwins = 2

	// maxFuseSlots bounds a filter so that slots have numbers of 32 bits while it is built.
	maxFuseSlots = math.MaxUint32
)

// fuseBuilder makes a binary fuse filter, or a classic one where fingerprints do not pay or no seed has a solution.
type fuseBuilder struct {
	hashList
	bitsPerKey float64
}

func newFuseBuilder(bitsPerKey float64) Builder { return &fuseBuilder{bitsPerKey: bitsPerKey} }

// Append solves the filter and appends it.
func (b *fuseBuilder) Append(dst []byte) ([]byte, error) {
	h := Header{Family: FamilyFuse, Keys: uint64(b.n), AskedBits: b.bitsPerKey}
	shape := fuseShapeFor(h.Keys)
	width := shape.width(h.Keys, b.bitsPerKey)
	if h.Keys < fuseLeast || width == 0 {
		return appendClassic(dst, &b.hashList, b.bitsPerKey)
	}
	if shape.slots() > maxFuseSlots {
		return dst, &ParameterError{Name: "number of keys", Value: float64(h.Keys),
			Allowed: "what 2^32 slots hold in a fuse filter"}
	}
	if err := checkSize(float64(shape.slots() * width)); err != nil {
		return dst, err
	}
	solved, seed, ok := solveFuse(&b.hashList, shape, width)
	if !ok {
		return appendClassic(dst, &b.hashList, b.bitsPerKey)
	}
	b.hashList.clear()
	h.Params = shape.params(width, seed)
	return appendPayload(dst, h, solved.payload()), nil
}

func (b *fuseBuilder) sizes(keys uint64) (Family, []Step) {
	shape := fuseShapeFor(keys)
	width := shape.width(keys, b.bitsPerKey)
	if keys < fuseLeast || width == 0 {
		return (&arrayBuilder{family: FamilyClassic, bitsPerKey: b.bitsPerKey}).sizes(keys)
	}
	return whole(FamilyFuse, packedBytes(shape.slots(), width)*8, fuseRate(width))
}

// solveFuse tries seeds until there is a solution, or too many have been tried. It leaves keys with those that are
// different.
func solveFuse(keys *hashList, shape fuseShape, width uint64) (solved packed, seed uint64, ok bool) {
	for seed := range uint64(fuseTries) {
		if seed == fuseTwins {
			keys.compact()
		}
		if order, ok := shape.peel(keys, seed); ok {
			return shape.assign(order, width), seed, true
		}
	}
	return packed{}, 0, false
}

// compact removes hashes that came before.
func (l *hashList) compact() {
	all := make([]Hash, 0, l.n)
	l.drain(func(chunk []Hash) { all = append(all, chunk...) })
	slices.SortFunc(all, func(a, b Hash) int { return cmp.Or(cmp.Compare(a.H1, b.H1), cmp.Compare(a.H2, b.H2)) })
	all = slices.Compact(all)
	*l = hashList{open: all, n: len(all)}
}

// peeled is a key with the one of its three slots that no key before it in the order needs.
type peeled struct {
	keys  []fuseKey
	slots []uint8 // 0, 1 or 2
}

// fuseSlots are what peeling knows of each slot: how many keys still have it, which of their three slots it is, and the
// keys themselves. The last two are sums without carry: when one key is left they are of that key.
type fuseSlots struct {
	counts []uint8 // number of keys times four, and the sum of the slot's numbers among theirs
	keys   []fuseKey
}

// peel orders the keys so that each has a slot that none before it has: it takes away a key that is alone in one of its
// slots, which may leave others alone, until none is left. It fails when no key is alone though some are left.
func (s fuseShape) peel(keys *hashList, seed uint64) (order peeled, ok bool) {
	ordered := inOrder(nil, keys, s.slots(), func(h Hash) fuseKey { return fuseKeyOf(h, seed) })
	left := fuseSlots{make([]uint8, s.slots()), make([]fuseKey, s.slots())}
	for _, k := range ordered {
		a, b, c := s.places(k)
		if !(left.put(a, 0, k) && left.put(b, 1, k) && left.put(c, 2, k)) {
			return peeled{}, false
		}
	}
	var alone []uint32
	for slot, count := range left.counts {
		if count/4 == 1 {
			alone = append(alone, uint32(slot))
		}
	}
	order = peeled{ordered[:0], make([]uint8, 0, len(ordered))} // ordered was needed to fill left only
	for len(alone) > 0 {
		slot := alone[len(alone)-1]
		alone = alone[:len(alone)-1]
		if left.counts[slot]/4 != 1 {
			continue // its last key was alone in another slot, too
		}
		k, which := left.keys[slot], left.counts[slot]%4
		order.keys = append(order.keys, k)
		order.slots = append(order.slots, which)
		a, b, c := s.places(k)
		for number, place := range [fuseSegments]uint64{a, b, c} {
			if left.take(place, uint8(number), k) == 1 {
				alone = append(alone, uint32(place))
			}
		}
	}
	return order, len(order.keys) == len(ordered)
}

// put adds a key. It is false when too many keys have the slot, which the same key many times brings about and chance
// does not.
func (l *fuseSlots) put(slot uint64, number uint8, k fuseKey) bool {
	l.keys[slot] ^= k
	l.counts[slot] = (l.counts[slot] ^ number) + 4
	return l.counts[slot] >= 4
}

// take removes a key and returns how many are left.
func (l *fuseSlots) take(slot uint64, number uint8, k fuseKey) uint8 {
	l.keys[slot] ^= k
	l.counts[slot] = (l.counts[slot] - 4) ^ number
	return l.counts[slot] / 4
}

// assign gives the slots their fingerprints, backwards: when a key's turn comes, its own slot is the only one of its
// three that may still change.
func (s fuseShape) assign(order peeled, width uint64) packed {
	p := newPacked(s.slots(), width)
	for i, k := range slices.Backward(order.keys) {
		a, b, c := s.places(k)
		own := [fuseSegments]uint64{a, b, c}[order.slots[i]]
		p.set(own, k.fingerprint(width)^p.at(a)^p.at(b)^p.at(c)) // its own is still 0
	}
	return p
}
