package cmd

import "testing"

func TestWilson(t *testing.T) {
	for _, c := range []struct {
		hits, trials int64
		low, high    float64
	}{
		{0, 0, 0, 1},
		{0, 10, 0, 0.2775},
		{10, 10, 0.7225, 1},
		{10, 1000, 0.0054, 0.0183},
		{50, 100, 0.4038, 0.5962},
	} {
		i := wilson(c.hits, c.trials)
		if near(i.low, c.low) && near(i.high, c.high) {
			continue
		}
		t.Errorf("%d of %d: %.4f to %.4f, want %.4f to %.4f", c.hits, c.trials, i.low, i.high, c.low, c.high)
	}
}

func near(a, b float64) bool { return a-b < 1e-4 && b-a < 1e-4 }

func TestBesideTheory(t *testing.T) {
	for _, c := range []struct {
		hits, trials int64
		expected     float64
		want         string
	}{
		{0, 0, 0.01, ""},
		{100, 10_000, 0.01, ""},
		{10_300, 1_000_000, 0.01, ""}, // outside chance, inside what the place of keys makes
		{50_000, 1_000_000, 0.01, "above theory"},
		{1000, 1_000_000, 0.01, "below theory"},
		{0, 100, 0.01, ""},
		{5, 100, 0, "above theory"},
	} {
		if got := wilson(c.hits, c.trials).besideTheory(c.expected); got != c.want {
			t.Errorf("%d of %d, expected %g: %q, want %q", c.hits, c.trials, c.expected, got, c.want)
		}
	}
}
