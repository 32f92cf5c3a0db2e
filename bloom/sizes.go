package bloom

// Sizes says what filter a policy gives a table of so many keys at a place, without building one: the family, and the
// sizes that it can have in memory, with the rate at each. A filter that cannot be divided has one size. Without keys
// or bits, and for builders that are not this package's, there is none.
//
// What is built then agrees to the bit, except that parts of a large ribbon share the keys by chance and not evenly,
// and that a ribbon whose keys resist it takes more.
func Sizes(p Policy, place Place, keys uint64) (Family, []Step) {
	builder, ok := p.Builder(place).(sized)
	if !ok || keys == 0 {
		return 0, nil
	}
	return builder.sizes(keys)
}

// sized is a builder that knows beforehand what it will build.
type sized interface {
	sizes(keys uint64) (Family, []Step)
}

func (b *arrayBuilder) sizes(keys uint64) (Family, []Step) {
	switch b.family {
	case FamilyClassic:
		if m, err := classicBits(keys, b.bitsPerKey); err == nil {
			return whole(b.family, wordsFor(m)*wordBits, classicRate(m, keys, OptimalProbes(m, keys)))
		}
	case FamilyBlocked:
		if lines, err := blockedLines(keys, b.bitsPerKey); err == nil {
			return whole(b.family, lines*lineBits, BlockedRate(lines, keys, BlockedProbes(lines, keys)))
		}
	}
	return 0, nil
}

// whole is a filter that cannot be divided.
func whole(family Family, bits uint64, rate float64) (Family, []Step) {
	return family, []Step{{Bits: bits, Rate: rate}}
}

func (b *ribbonBuilder) sizes(keys uint64) (Family, []Step) {
	if keys < ribbonLeast {
		return (&arrayBuilder{family: FamilyClassic, bitsPerKey: b.classicBits}).sizes(keys)
	}
	parts := (keys + b.partKeys - 1) / b.partKeys
	larger := keys % parts // parts that have a key more than the others
	plane := larger*ribbonSlots(keys/parts+1, 0) + (parts-larger)*ribbonSlots(keys/parts, 0)
	steps := make([]Step, b.planes)
	rate := 1.0
	for i := range steps {
		rate /= 2
		steps[i] = Step{Bits: plane * uint64(i+1), Rate: rate}
	}
	return FamilyRibbon, steps
}
