package bloom

import "math/bits"

// ribbonBuilder makes a ribbon filter of so many planes, or a classic one where a ribbon does not pay or has no solution.
type ribbonBuilder struct {
	hashList
	bitsPerKey float64
	planes     int
}

// newFullRibbonBuilder is for all planes that there can be.
func newFullRibbonBuilder(bitsPerKey float64) Builder { return newRibbonBuilder(bitsPerKey, maxPlanes) }

func newRibbonBuilder(bitsPerKey float64, planes int) Builder {
	return &ribbonBuilder{bitsPerKey: bitsPerKey, planes: planes}
}

// Append solves the filter and appends it.
func (b *ribbonBuilder) Append(dst []byte) ([]byte, error) {
	keys := uint64(b.n)
	if keys < ribbonLeast {
		return b.appendClassic(dst)
	}
	if err := checkSize(float64(ribbonSlots(keys, ribbonTries-1)) * float64(b.planes)); err != nil {
		return dst, err
	}
	parts := b.split(ribbonParts(keys))
	solved := make([]solvedPart, len(parts))
	for i := range parts {
		var ok bool
		if solved[i], ok = solvePart(&parts[i], b.planes); !ok {
			b.join(parts)
			return b.appendClassic(dst)
		}
	}
	b.hashList = hashList{}
	return appendRibbon(dst, Header{Family: FamilyRibbon, Keys: keys, AskedBits: b.bitsPerKey}, solved, b.planes), nil
}

func (b *ribbonBuilder) appendClassic(dst []byte) ([]byte, error) {
	classic := arrayBuilder{hashList: b.hashList, family: FamilyClassic, bitsPerKey: b.bitsPerKey, fill: fillClassic}
	b.hashList = hashList{}
	return classic.Append(dst)
}

// split deals the hashes out to parts.
func (b *ribbonBuilder) split(parts uint64) []hashList {
	if parts == 1 {
		return []hashList{b.hashList}
	}
	lists := make([]hashList, parts)
	b.drain(func(chunk []Hash) {
		for _, h := range chunk {
			lists[partOf(h, parts)].Add(h)
		}
	})
	return lists
}

// join takes back what split dealt out.
func (b *ribbonBuilder) join(parts []hashList) {
	b.hashList = hashList{}
	for i := range parts {
		parts[i].drain(func(chunk []Hash) {
			for _, h := range chunk {
				b.Add(h)
			}
		})
	}
}

// solvedPart is a part with its bits of each plane.
type solvedPart struct {
	ribbonPart
	planes [][]byte
}

// solvePart tries seeds until the part's equations have a solution, or too many have been tried.
func solvePart(keys *hashList, planes int) (solvedPart, bool) {
	for seed := range uint64(ribbonTries) {
		part := ribbonPart{keys: uint64(keys.n), slots: ribbonSlots(uint64(keys.n), seed), seed: seed}
		if b, ok := part.band(keys); ok {
			return solvedPart{part, b.solve(planes)}, true
		}
	}
	return solvedPart{}, false
}

// bucketSlots is the number of slots whose rows and results stay in a first-level cache while their keys come in.
const bucketSlots = 1 << 10

// band brings in the equations of all keys, ordered by buckets of their starts: in the order of the table each would
// touch memory at random.
func (p *ribbonPart) band(keys *hashList) (*band, bool) {
	ordered := p.order(keys)
	b := newBand(p.slots)
	starts := p.starts()
	for _, k := range ordered {
		low, high := k.row()
		if !b.add(k.start(starts), low, high, k.result()) {
			return nil, false
		}
	}
	return b, true
}

// order makes the keys of the hashes and puts them in order, bucket by bucket.
func (p *ribbonPart) order(keys *hashList) []ribbonKey {
	shift := wordBits - bits.Len64(p.slots/bucketSlots)
	ends := make([]int, 1<<(wordBits-shift)+1)
	keys.each(func(chunk []Hash) {
		for _, h := range chunk {
			ends[ribbonKeyOf(h, p.seed)>>shift+1]++
		}
	})
	for i := 1; i < len(ends); i++ {
		ends[i] += ends[i-1]
	}
	ordered := make([]ribbonKey, keys.n)
	keys.each(func(chunk []Hash) {
		for _, h := range chunk {
			k := ribbonKeyOf(h, p.seed)
			at := &ends[k>>shift]
			ordered[*at] = k
			*at++
		}
	})
	return ordered
}
