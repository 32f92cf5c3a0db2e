package forecast

import "siftdb/bloom"

// mostShares is for about how many tables of level 0 memory is shared out anew. Where there are more, some get as much
// as the one before.
const mostShares = 16

// young tells how many bits per key the tables of level 0 are built with, one after the other: each finds the memory
// that those before it have left.
type young struct {
	kind   Kind
	perKey float64 // asked for
	every  int     // how many tables get the same

	told int
	bits float64
}

// next is the bits per key of the table of so many keys that is built after older, whose filters demands are.
func (y *young) next(keys uint64, older Store, demands []bloom.Demand) float64 {
	if y.told%y.every == 0 {
		memory := older.allowance(y.kind, demands, y.perKey) + uint64(y.perKey*float64(keys))
		y.bits = bloom.YoungBits(y.kind.policy(y.perKey), keys, older.busiest(demands), demands, memory)
	}
	y.told++
	return y.bits
}

// busiest is the misses of the run that has most. A new table is taken to be asked as often.
func (s Store) busiest(demands []bloom.Demand) float64 {
	most := 0.0
	for first, end := 0, 0; first < len(s.Parts); first = end {
		end = endOfRun(s.Parts, first)
		misses := 0.0
		for _, d := range demands[first:end] {
			misses += d.Misses
		}
		most = max(most, misses)
	}
	return most
}
