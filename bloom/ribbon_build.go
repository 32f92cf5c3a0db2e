package bloom

// ribbonBuilder makes a ribbon filter of so many planes, or a classic one where a ribbon does not pay or
// has no solution.
type ribbonBuilder struct {
	hashList
	bitsPerKey  float64
	classicBits float64 // bits per key where it is a classic one
	planes      int
	partKeys    uint64 // keys of a part, about
}

func newRibbonBuilder(bitsPerKey float64, planes int) *ribbonBuilder {
	return &ribbonBuilder{bitsPerKey: bitsPerKey, classicBits: bitsPerKey, planes: planes, partKeys: largestPart}
}

// newFullRibbonBuilder is for all planes that there can be.
func newFullRibbonBuilder(bitsPerKey float64) Builder { return newRibbonBuilder(bitsPerKey, maxPlanes) }

// Append solves the filter and appends it.
func (b *ribbonBuilder) Append(dst []byte) ([]byte, error) {
	keys := uint64(b.n)
	if keys < ribbonLeast {
		return appendClassic(dst, &b.hashList, b.classicBits)
	}
	if err := checkSize(float64(ribbonSlots(keys, ribbonTries-1)) * float64(b.planes)); err != nil {
		return dst, err
	}
	parts := b.split((keys + b.partKeys - 1) / b.partKeys)
	solved := make([]solvedPart, len(parts))
	solver := new(ribbonSolver)
	defer solver.release()
	for i := range parts {
		var ok bool
		if solved[i], ok = solver.solvePart(&parts[i], b.planes); !ok {
			b.join(parts)
			return appendClassic(dst, &b.hashList, b.classicBits)
		}
	}
	for i := range parts {
		parts[i].clear()
	}
	b.hashList = hashList{}
	return appendRibbon(dst, Header{Family: FamilyRibbon, Keys: keys, AskedBits: b.bitsPerKey}, solved, b.planes), nil
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
	if len(parts) == 1 {
		b.hashList = parts[0]
		return
	}
	b.hashList = hashList{}
	for i := range parts {
		b.full = append(b.full, parts[i].full...)
		b.full = append(b.full, parts[i].open)
		b.n += parts[i].n
	}
}
