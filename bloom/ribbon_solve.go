package bloom

import (
	"encoding/binary"
	"math/bits"

	"siftdb/internal/offheap"
)

// ribbonSolver solves the parts of a filter, one after the other. It keeps its memory from part to part: 18 bytes a
// slot, 8 a key. That is 14 MB for half a million keys: too much to be on the heap, of which it would be a third while
// a store is written to, or to be there while nothing is built.
type ribbonSolver struct {
	ordered offheap.Array[ribbonKey]
	rows    offheap.Array[bandRow]
	results offheap.Array[uint16]
}

// release gives back the memory.
func (s *ribbonSolver) release() {
	s.ordered.Release()
	s.rows.Release()
	s.results.Release()
}

// solvedPart is a part with its planes' bits.
type solvedPart struct {
	ribbonPart
	bits []byte // of plane 0, then of plane 1, and so on
}

// plane cuts out the bits of plane i.
func (p *solvedPart) plane(i int) []byte { return p.bits[uint64(i)*p.slots/8:][:p.slots/8] }

// solvePart tries seeds until the equations of the keys have a solution, or too many have been tried.
func (s *ribbonSolver) solvePart(keys *hashList, planes int) (solvedPart, bool) {
	for seed := range uint64(ribbonTries) {
		part := ribbonPart{keys: uint64(keys.n), slots: ribbonSlots(uint64(keys.n), seed), seed: seed}
		ordered := inOrder(s.ordered.Room(keys.n), keys, part.slots,
			func(h Hash) ribbonKey { return ribbonKeyOf(h, seed) })
		band := emptyBand(s.rows.Room(int(part.slots)), s.results.Room(int(part.slots)))
		if band.bring(&part, ordered) {
			return solvedPart{part, band.solve(planes)}, true
		}
	}
	return solvedPart{}, false
}

// band is a system of equations in upper triangular form: slot s holds the equation whose first slot is s, if there is
// one. Equations come in one by one, in any order (Dillinger and Walzer, 2021).
type band struct {
	rows    []bandRow
	results []uint16
}

// bandRow is a row whose lowest bit is set, or nothing.
type bandRow struct{ low, high uint64 }

// emptyBand is a band of as many slots as there are rows and results, whatever is in them.
func emptyBand(rows []bandRow, results []uint16) band {
	clear(rows)
	clear(results)
	return band{rows, results}
}

// bring brings in the equations of a part's keys. It is false when they have no solution.
func (b *band) bring(part *ribbonPart, keys []ribbonKey) bool {
	starts := part.starts()
	for _, k := range keys {
		low, high := k.row()
		if !b.add(k.start(starts), low, high, k.result()) {
			return false
		}
		part.sum += uint64(k)
	}
	return true
}

// add brings in one equation: while its first slot is taken, the equation there is added to it, which clears its first
// slot. It is false when the equation contradicts those that are there.
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

// solvedAtOnce is how many planes are solved in one walk over the band. One alone waits for itself from slot to slot
// (2.8 ns a slot, against 1.6 a slot and plane for four); more than four do not fit into registers.
const solvedAtOnce = 4

// solve finds a bit for each slot and plane, and gives the planes' bits one plane after the other.
func (b *band) solve(planes int) []byte {
	size := len(b.rows) / 8
	rounded := (planes + solvedAtOnce - 1) / solvedAtOnce * solvedAtOnce
	solved := make([]byte, rounded*size)
	for p := 0; p < planes; p += solvedAtOnce {
		b.solveFour(p, solved[p*size:][:solvedAtOnce*size])
	}
	return solved[:planes*size]
}

// solveFour finds the bits of planes p to p+3, from the last slot to the first: a slot's bit is what makes its equation
// true, whose other bits are known. A slot without an equation gets 0, which makes the solution the same whatever the
// order of the keys.
func (b *band) solveFour(p int, solved []byte) {
	size := len(solved) / solvedAtOnce
	plane0, plane1, plane2, plane3 := solved[:size], solved[size:2*size], solved[2*size:3*size], solved[3*size:]
	// The bits of 128 slots from the slot on, for each plane.
	var low0, high0, low1, high1, low2, high2, low3, high3 uint64
	rows, results := b.rows, b.results[:len(b.rows)]
	for slot := len(rows) - 1; slot >= 0; slot-- {
		low, high := rows[slot].low, rows[slot].high
		result := uint64(results[slot] >> (p % maxPlanes))
		low0, high0 = low0<<1, high0<<1|low0>>(wordBits-1)
		low1, high1 = low1<<1, high1<<1|low1>>(wordBits-1)
		low2, high2 = low2<<1, high2<<1|low2>>(wordBits-1)
		low3, high3 = low3<<1, high3<<1|low3>>(wordBits-1)
		taken := low & 1
		low0 |= (uint64(bits.OnesCount64(low&low0^high&high0)) ^ result) & taken
		low1 |= (uint64(bits.OnesCount64(low&low1^high&high1)) ^ result>>1) & taken
		low2 |= (uint64(bits.OnesCount64(low&low2^high&high2)) ^ result>>2) & taken
		low3 |= (uint64(bits.OnesCount64(low&low3^high&high3)) ^ result>>3) & taken
		if slot%wordBits == 0 {
			binary.LittleEndian.PutUint64(plane0[slot/8:], low0)
			binary.LittleEndian.PutUint64(plane1[slot/8:], low1)
			binary.LittleEndian.PutUint64(plane2[slot/8:], low2)
			binary.LittleEndian.PutUint64(plane3[slot/8:], low3)
		}
	}
}
