package report

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
)

// axis is one of the two axes of a chart: what it says, where it ends, and its ticks.
type axis struct {
	label     string
	scale     plot.Normalizer
	low, high float64
	ticks     []plot.Tick
}

// logAxis spans the decades about values, those of them that are above 0, with a tick at each power of ten.
func logAxis(label string, values []float64, text func(float64) string) axis {
	least, most := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if v > 0 {
			least, most = min(least, v), max(most, v)
		}
	}
	if least > most {
		least, most = 0.1, 1
	}
	from, to := int(math.Floor(math.Log10(least))), int(math.Ceil(math.Log10(most)))
	to = max(to, from+1)
	a := axis{label: label, scale: plot.LogScale{}, low: math.Pow10(from), high: math.Pow10(to)}
	for power := from; power <= to; power++ {
		decade := math.Pow10(power)
		a.ticks = append(a.ticks, plot.Tick{Value: decade, Label: text(decade)})
	}
	return a
}

// mostNines is where a ninesAxis ends at the latest: shares nearer to 1 are drawn at its end.
const mostNines = 6

// ninesAxis is for shares near 1: it spans from 0 by 90 %, 99 % and so on, each of which leaves a tenth of what the one
// before it leaves, to the first that no share is above.
func ninesAxis(label string, shares []float64) axis {
	nines := 1
	for nines < mostNines && slices.ContainsFunc(shares, func(v float64) bool { return v > upToNines(nines) }) {
		nines++
	}
	a := axis{label: label, scale: ninesScale{}, high: upToNines(nines)}
	for i := range nines + 1 {
		v := upToNines(i)
		a.ticks = append(a.ticks, plot.Tick{Value: v, Label: strconv.FormatFloat(100*v, 'f', max(0, i-2), 64) + " %"})
	}
	return a
}

// upToNines is 0, 0.9, 0.99 and so on.
func upToNines(n int) float64 { return 1 - math.Pow10(-n) }

// ninesScale is logarithmic in what is missing to 1.
type ninesScale struct{}

// Normalize makes it a plot.Normalizer.
func (ninesScale) Normalize(low, high, x float64) float64 {
	return math.Log((1-x)/(1-low)) / math.Log((1-high)/(1-low))
}

// linearTicks is about how many ticks a linear axis has.
const linearTicks = 5

// linearAxis spans from 0 to the first tick that no value is above.
func linearAxis(label string, values []float64, text func(float64) string) axis {
	most := 0.
	for _, v := range values {
		most = max(most, v)
	}
	if most == 0 {
		most = 1
	}
	step := roundStep(most / linearTicks)
	n := int(math.Ceil(most/step - 1e-9))
	a := axis{label: label, scale: plot.LinearScale{}, high: float64(n) * step}
	for i := range n + 1 {
		v := float64(i) * step
		a.ticks = append(a.ticks, plot.Tick{Value: v, Label: text(v)})
	}
	return a
}

// roomAbove makes values so much larger that labels fit above their bars.
func roomAbove(values []float64) []float64 {
	larger := make([]float64, len(values))
	for i, v := range values {
		larger[i] = v * 1.08
	}
	return larger
}

// roundStep is the first of 1, 2, 2.5, 5 times a power of ten that is not less than x.
func roundStep(x float64) float64 {
	decade := math.Pow10(int(math.Floor(math.Log10(x))))
	for _, digit := range []float64{1, 2, 2.5, 5} {
		if digit*decade >= x*(1-1e-9) {
			return digit * decade
		}
	}
	return 10 * decade
}

// namedAxis has names at 0, 1, 2 and so forth.
func namedAxis(label string, names []string) axis {
	a := axis{label: label, scale: plot.LinearScale{}, low: -0.6, high: float64(len(names)) - 0.4}
	for i, name := range names {
		a.ticks = append(a.ticks, plot.Tick{Value: float64(i), Label: name})
	}
	return a
}
