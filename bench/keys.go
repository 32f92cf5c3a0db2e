package bench

import "fmt"

// generated makes keys from a seed: a number, spelled as the form says. The numbers' range is cut into two equal slots
// for each key, the even ones hold present keys, the odd ones absent keys, each at a random place in its slot. So keys
// look random to a filter, ascend with their number, and each absent key lies between two present neighbours.
type generated struct {
	n        int
	spelling spelling
	slot     uint64 // width
	margin   int    // present keys at either end beside which no absent key lies
	seed     uint64
	values   generatedValue
}

// newGenerated makes n present keys of a form that there is, with values of valueSize bytes and, between them,
// n-1-2*margin absent ones.
func newGenerated(n int, form KeyForm, valueSize, margin int, seed uint64) *generated {
	spelling, _ := form.spelling()
	return &generated{
		n:        n,
		spelling: spelling,
		slot:     spelling.numbers / (2 * uint64(n)),
		margin:   margin,
		seed:     seed,
		values:   generatedValue{size: valueSize, seed: seed},
	}
}

func (g *generated) Present() int { return g.n }

func (g *generated) Absent() int { return max(0, g.n-1-2*g.margin) }

func (g *generated) AppendKey(dst []byte, i int) []byte {
	return g.appendSlot(dst, 2*uint64(i), 0)
}

func (g *generated) AppendAbsent(dst []byte, i int) []byte {
	n := g.Absent()
	return g.appendSlot(dst, 2*uint64(i%n+g.margin)+1, uint64(i/n))
}

func (g *generated) AppendValue(dst []byte, i int) []byte { return g.values.append(dst, i) }

func (g *generated) Size() int64 { return int64(g.n) * int64(g.spelling.size()+g.values.size) }

func (g *generated) String() string {
	form := ""
	if g.spelling.form != HexKeys {
		form = " such as " + string(g.AppendKey(nil, 0))
	}
	return fmt.Sprintf("generated%s, absent ones between present ones, %d byte keys, %d byte values",
		form, g.spelling.size(), g.values.size)
}

// appendSlot appends the key of a slot. Its variants differ by their places in the slot.
func (g *generated) appendSlot(dst []byte, slot, variant uint64) []byte {
	number := slot*g.slot + mix(g.seed+variant*variantStep, slot)%g.slot
	return g.spelling.append(dst, number)
}

// variantStep makes seeds of variants: odd, so that no two are the same.
const variantStep = 0xd1342543de82ef95

// generatedValue makes values from a seed. Each is half random, and then the same again, so that it halves when
// compressed, as records often do.
type generatedValue struct {
	size int
	seed uint64
}

func (v generatedValue) append(dst []byte, i int) []byte {
	start := len(dst)
	random := (v.size + 1) / 2
	for word := uint64(0); len(dst) < start+random; word++ {
		bits := mix(v.seed^0x76616c7565, uint64(i)<<20+word)
		for range min(8, start+random-len(dst)) {
			dst = append(dst, byte(bits))
			bits >>= 8
		}
	}
	return append(dst, dst[start:start+v.size-random]...)
}
