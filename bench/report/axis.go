package report

import (
	"math"

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
