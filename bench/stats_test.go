package bench

import (
	"math"
	"testing"
)

func TestWilson(t *testing.T) {
	for _, c := range []struct {
		hits, trials int64
		low, high    float64
	}{ // computed apart, with 50 digits
		{0, 0, 0, 1},
		{0, 100, 0, 0.0369935},
		{10, 100, 0.0552291, 0.1743657},
		{50, 100, 0.4038315, 0.5961685},
		{100, 100, 0.9630065, 1},
		{8194, 1_000_000, 0.0080192, 0.0083726},
	} {
		low, high := wilson(c.hits, c.trials)
		if math.Abs(low-c.low) > 1e-6 || math.Abs(high-c.high) > 1e-6 {
			t.Errorf("wilson(%d, %d) = %.7f, %.7f; want %.7f, %.7f", c.hits, c.trials, low, high, c.low, c.high)
		}
	}
}

// TestAcceptanceOfAMillion compares with bounds computed apart from this code, for a filter of a million keys and as
// many absent ones.
func TestAcceptanceOfAMillion(t *testing.T) {
	const million = 1_000_000
	for _, c := range []struct {
		family    string
		bits      float64
		rate      float64
		low, high float64
	}{
		{"classic", 6, 0.05606, 55114, 57000},
		{"classic", 8, 0.02158, 20987, 22167},
		{"classic", 10, 0.008194, 7830, 8557},
		{"classic", 12, 0.003142, 2917, 3367},
		{"classic", 16, 0.0004587, 373, 545},
		{"blocked", 8, 0.02326, 22649, 23878},
		{"blocked", 10, 0.009665, 9267, 10062},
		{"blocked", 12, 0.004135, 3874, 4396},
		{"blocked", 16, 0.0008439, 726, 961},
	} {
		b := acceptance(million, c.rate, c.rate*relativeSpread(c.family, c.bits, million))
		// A hundredth of the width and the skew term are let pass.
		slack := (c.high-c.low)/50 + 3
		if math.Abs(b.low-c.low) > slack || math.Abs(b.high-c.high) > slack {
			t.Errorf("%s %g bits: %.0f to %.0f, want about %.0f to %.0f", c.family, c.bits, b.low, b.high, c.low, c.high)
		}
	}
}

func TestAcceptanceOfFewHits(t *testing.T) {
	b := acceptance(10_000, 0.0002, 0) // 2 hits expected
	for hits, want := range map[int64]bool{0: true, 2: true, 9: true, 12: false} {
		if b.holds(hits) != want {
			t.Errorf("%d hits where 2 are expected: accepted is %v", hits, !want)
		}
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{9, 1, 4}, 4}, {[]float64{4, 1, 2, 9}, 3}} {
		if got := median(c.values); got != c.want {
			t.Errorf("median(%v) = %v, want %v", c.values, got, c.want)
		}
	}
}
