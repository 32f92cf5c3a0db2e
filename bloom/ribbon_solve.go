package bloom

import (
	"encoding/binary"
	"math/bits"
)

// band is a system of equations in upper triangular form: slot s holds the equation whose first slot is s, if there is
// one. Equations come in one by one (Dillinger and Walzer, 2021).
type band struct {
	rows    []bandRow
	results []uint16
}

// bandRow is a row whose lowest bit is set, or nothing.
type bandRow struct{ low, high uint64 }

func newBand(slots uint64) *band {
	return &band{rows: make([]bandRow, slots), results: make([]uint16, slots)}
}

// add brings in one equation: while its first slot is taken the equation there is added to it, which clears its first slot.
// It is false when the equation contradicts those that are there.
func (b *band) add(slot, low, high uint64, result uint16) bool {
	for {
		row := &b.rows[slot]
		if row.low == 0 {
			*row = bandRow{low, high}
			b.results[slot] = result
			return true
		}
		low ^= row.low
		high ^= row.high
		result ^= b.results[slot]
		if low == 0 {
			if high == 0 {
				return result == 0 // the sum of others, or a key that came twice
			}
			low, high = high, 0
			slot += wordBits
		}
		zeros := uint64(bits.TrailingZeros64(low))
		low = low>>zeros | high<<(wordBits-zeros)
		high >>= zeros
		slot += zeros
	}
}

// solve finds a bit for each slot and plane, from the last slot to the first, and gives each plane's bytes. Slots without an
// equation get 0, which makes the solution the same whatever the order of the keys.
func (b *band) solve(planes int) [][]byte {
	solved := make([][]byte, planes)
	for p := range solved {
		solved[p] = make([]byte, len(b.rows)/8)
		b.solvePlane(p, solved[p])
	}
	return solved
}

func (b *band) solvePlane(p int, plane []byte) {
	var low, high uint64 // the solution of the 128 slots from slot on
	for slot := len(b.rows) - 1; slot >= 0; slot-- {
		row := &b.rows[slot]
		bit := uint64(bits.OnesCount64(row.low&(low<<1)^row.high&(high<<1|low>>63))) & 1
		bit ^= uint64(b.results[slot]>>p) & 1
		bit &= row.low // nothing where there is no equation
		high = high<<1 | low>>63
		low = low<<1 | bit
		if slot%wordBits == 0 {
			binary.LittleEndian.PutUint64(plane[slot/8:], low)
		}
	}
}
