package bloom

import (
	"cmp"
	"math"
	"slices"
)

// Level is one of the parts that share memory: a level, a run or a table.
type Level struct {
	// Keys is the number of distinct keys.
	Keys uint64
	// Misses is how many probes it gets in a unit of time that are not true positives: lookups of keys that it does not
	// hold. Any unit, the same for all.
	Misses float64
}

// Allocate shares out memory, in bits, so that Bloom filters let the fewest wasted reads through in all. It returns the
// bits per key of each level, in their order; they use up the memory exactly.
//
// A level's rate at b bits per key is e^(-b (ln 2)^2). The sum of Misses times rate is lowest where one more bit saves
// the same everywhere, which makes each rate proportional to Keys over Misses (Dayan, Athanassoulis and Idreos, 2017,
// for equal misses). Levels that would get less than nothing get 0, and so do those without keys or misses; without any
// misses at all everyone gets 0.
func Allocate(levels []Level, memory uint64) []float64 {
	perKey := make([]float64, len(levels))
	order := make([]int, 0, len(levels))
	for i, l := range levels {
		if l.Keys > 0 && l.Misses > 0 {
			order = append(order, i)
		}
	}
	// The logarithm of misses per key; taken apart so that no quotient of extremes overflows.
	weight := func(i int) float64 {
		return math.Log(math.Min(levels[i].Misses, math.MaxFloat64)) - math.Log(float64(levels[i].Keys))
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weight(b), weight(a)) })

	const perBit = math.Ln2 * math.Ln2
	var keys, weighted, price float64 // price is the logarithm of what one more bit saves, over perBit
	served := 0
	for _, i := range order {
		if served > 0 && weight(i) <= price {
			break
		}
		n := float64(levels[i].Keys)
		keys += n
		weighted += n * weight(i)
		price = (weighted - float64(memory)*perBit) / keys
		served++
	}
	for _, i := range order[:served] {
		perKey[i] = math.Max(0, (weight(i)-price)/perBit)
	}
	return perKey
}
