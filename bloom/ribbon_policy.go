package bloom

import (
	"math"
	"strconv"
)

// Ribbon gives each table a ribbon filter in planes: its bytes have as many planes as may ever pay, and bits says how
// many are in memory, on average over the store's keys; bits as for BitsPerKey. A plane takes 1.03 to 1.05 bits a key
// in tables of a thousand keys and more, so that above 16.8 bits there are no more. Tables of fewer than 134 keys get a
// Classic filter, of 23 bits or more between level 0 and the bottom.
func Ribbon(bits float64) Policy { return elastic("ribbon", 0, bits) }

// planed is the policy whose filters are in planes, but for young tables where it names another family.
type planed struct {
	label string
	young Family // of flushed and recovered tables and those of level 0; 0: ribbon as everywhere
	bits  float64
}

func elastic(label string, young Family, bits float64) Policy {
	if bits == 0 {
		return None
	}
	return planed{label, young, bits}
}

func (p planed) String() string     { return p.label + " " + strconv.FormatFloat(p.bits, 'g', -1, 64) }
func (p planed) AskedBits() float64 { return p.bits }
func (p planed) Validate() error    { return checkBitsPerKey(p.bits) }

func (p planed) Builder(place Place) Builder {
	if p.Validate() != nil {
		return nil
	}
	if young, ok := familyOf(p.young); ok && isYoung(place) {
		return young.build(min(max(p.bits, place.Bits), maxBitsPerKey))
	}
	b := newRibbonBuilder(p.bits, planesFor(p.bits, place))
	b.classicBits = smallTableBits(p.bits, place)
	return b
}

// isYoung reports whether a table will soon be merged into older ones: a filter that is quick to build is best for it.
func isYoung(p Place) bool {
	return p.Level == 0 || p.Reason == ReasonFlush || p.Reason == ReasonRecovery
}

const (
	// slotsPerKey is the most that a plane costs in tables that are not small.
	slotsPerKey = 1.05

	// sparePlanes are those that a bottommost table has in its bytes beyond the ones its bits pay for. It holds most of
	// the store's keys, so it cannot get much more than the average.
	sparePlanes = 4
)

// planesFor is the number of planes in the bytes of a table's filter.
func planesFor(bits float64, p Place) int {
	if !p.Bottommost {
		return maxPlanes
	}
	return int(min(maxPlanes, math.Ceil(bits/slotsPerKey)+sparePlanes))
}

// smallTableBits is the bits per key of the classic filter that a small table gets instead of planes. It cannot grow
// later. Between level 0 and the bottom, where the few keys deserve far more than the average, it is what lets through
// as little as all planes would: at 10 bits, one small table among ten of a level would let more through than
// the nine others.
func smallTableBits(bits float64, p Place) float64 {
	if isYoung(p) || p.Bottommost {
		return bits
	}
	return max(bits, maxPlanes/math.Ln2)
}
