package forecast

import "math"

// Level is what lies in one level.
type Level struct {
	Number int
	Tables int64
	Keys   uint64
	Bytes  float64
	// Cover is the share of the range of keys that the tables span, as far as they do not overlap.
	Cover float64
}

// partsOfLevel says into how many parts a level is cut: its busiest tables are parts of their own, then ever more
// tables share one, up to a 64th of those before it. Memory for filters is given to a part as a whole.
const partsOfLevel = 64

// cut appends the level's parts, and what share of all lookups of absent keys comes to each.
func (level Level) cut(skew float64, parts []Part, shares []float64) ([]Part, []float64) {
	whole := zipf(1, level.Tables, skew)
	done := uint64(0)
	for first, last := int64(1), int64(0); first <= level.Tables; first = last + 1 {
		last = min(level.Tables, first+first/partsOfLevel)
		keys := uint64(float64(level.Keys) * (float64(last) / float64(level.Tables)))
		parts = append(parts, Part{Level: level.Number, Tables: last - first + 1, Keys: keys - done})
		shares = append(shares, level.Cover*zipf(first, last, skew)/whole)
		done = keys
	}
	return parts, shares
}

// zipf is the sum of i^-skew from first to last. From the thousandth on the integral, half a step wider on either side,
// is as good: within a millionth.
func zipf(first, last int64, skew float64) float64 {
	const exact = 1000
	sum := 0.0
	for i := first; i <= min(last, exact); i++ {
		sum += math.Pow(float64(i), -skew)
	}
	low, high := float64(max(first, exact+1))-0.5, float64(last)+0.5
	switch {
	case low >= high:
		return sum
	case skew == 1:
		return sum + math.Log(high/low)
	}
	return sum + (math.Pow(high, 1-skew)-math.Pow(low, 1-skew))/(1-skew)
}
