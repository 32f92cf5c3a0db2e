package plot

import (
	"math"
	"strconv"
)

// scale is logarithmic: it lays values from low to high between two places.
type scale struct {
	low, high float64
	from, to  float64
}

// newScale spans values, those of them that are above 0, with some room beside.
func newScale(values []float64, from, to float64) scale {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if v > 0 {
			low, high = min(low, v), max(high, v)
		}
	}
	if low > high {
		low, high = 1, 10
	}
	room := max(math.Pow(high/low, 0.04), 1.02)
	return scale{low / room, high * room, from, to}
}

func (s scale) at(v float64) float64 {
	return s.from + (s.to-s.from)*math.Log(v/s.low)/math.Log(s.high/s.low)
}

// ticks are round values on the scale: powers of ten where there are enough of them, else more.
func (s scale) ticks(most int) (values []float64) {
	for _, digits := range [][]float64{
		{1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9}, {1, 1.5, 2, 3, 5, 7}, {1, 2, 5}, {1, 3}, {1},
	} {
		values = values[:0]
		for power := math.Floor(math.Log10(s.low)); power <= math.Log10(s.high); power++ {
			for _, digit := range digits {
				if v := digit * math.Pow(10, power); v >= s.low && v <= s.high {
					values = append(values, v)
				}
			}
		}
		if len(values) <= most {
			return values
		}
	}
	every := (len(values) + most - 1) / most
	kept := values[:0]
	for i := 0; i < len(values); i += every {
		kept = append(kept, values[i])
	}
	return kept
}

// plain is a value of a tick.
func plain(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
