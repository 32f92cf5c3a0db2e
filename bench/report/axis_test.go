package report

import (
	"strings"
	"testing"

	"siftdb/bench"
)

func tickText(a axis) string {
	var words []string
	for _, tick := range a.ticks {
		words = append(words, tick.Label)
	}
	return strings.Join(words, " ")
}

func TestAxes(t *testing.T) {
	for _, c := range []struct {
		name      string
		axis      axis
		low, high float64
		ticks     string
	}{
		{"log", logAxis("", []float64{0.002, 0, 4}, plain), 0.001, 10, "0.001 0.01 0.1 1 10"},
		{"log of one power of ten", logAxis("", []float64{1, 1}, plain), 1, 10, "1 10"},
		{"log of nothing", logAxis("", []float64{0}, plain), 0.1, 1, "0.1 1"},
		{"linear", linearAxis("", []float64{0.239, 0.477}, plain), 0, 0.5, "0 0.1 0.2 0.3 0.4 0.5"},
		{"linear to a tick", linearAxis("", []float64{1}, plain), 0, 1, "0 0.2 0.4 0.6 0.8 1"},
		{"linear by 2.5", linearAxis("", []float64{110}, plain), 0, 125, "0 25 50 75 100 125"},
		{"linear of nothing", linearAxis("", nil, plain), 0, 1, "0 0.2 0.4 0.6 0.8 1"},
		{"nines", ninesAxis("", []float64{0.66, 0.9993}), 0, 0.9999, "0 % 90 % 99 % 99.9 % 99.99 %"},
		{"nines of all", ninesAxis("", []float64{1}), 0, 0.999999, "0 % 90 % 99 % 99.9 % 99.99 % 99.999 % 99.9999 %"},
		{"bits", bitsAxis([]bench.Bits{bench.Off, 2, 4.5, 10}), -0.6, 10.6, "off 2 4.5 10"},
		{"bits, crowded", bitsAxis([]bench.Bits{2, 2.5, 10, 12, 14, 20}), 1.25, 20.75, "2  10 12 14 20"},
		{"bits, one", bitsAxis([]bench.Bits{10}), 9.4, 10.6, "10"},
		{"bits, none", bitsAxis(nil), -1, 1, ""},
		{"names", namedAxis("", []string{"L0", "L1"}), -0.6, 1.6, "L0 L1"},
	} {
		if got := tickText(c.axis); c.axis.low != c.low || c.axis.high != c.high || got != c.ticks {
			t.Errorf("%s: %g to %g with %q, want %g to %g with %q", c.name, c.axis.low, c.axis.high, got, c.low, c.high, c.ticks)
		}
	}
}
