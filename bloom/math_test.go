package bloom

import (
	"math"
	"strconv"
	"testing"
)

func TestSizingGivesThePublishedTable(t *testing.T) {
	type file struct {
		Rows []struct {
			N        uint64
			P        float64
			MCeil    uint64  `json:"m_ceil"`
			KRound   int     `json:"k_round"`
			RateK    float64 `json:"fpr_k_round"`
			KFloor   int     `json:"k_floor"`
			RateLow  float64 `json:"fpr_k_floor"`
			KCeil    int     `json:"k_ceil"`
			RateHigh float64 `json:"fpr_k_ceil"`
		}
	}
	for _, r := range vectors[file](t, "bloom_sizing.json").Rows {
		m := OptimalBits(r.N, r.P)
		if m != r.MCeil {
			t.Errorf("n %d, p %g: %d bits, want %d", r.N, r.P, m, r.MCeil)
		}
		if k := OptimalProbes(m, r.N); k != r.KRound {
			t.Errorf("n %d, p %g: %d probes, want %d", r.N, r.P, k, r.KRound)
		}
		for k, want := range map[int]float64{r.KFloor: r.RateLow, r.KRound: r.RateK, r.KCeil: r.RateHigh} {
			if got := Rate(m, r.N, k); !near(got, want, 2e-4) {
				t.Errorf("n %d, p %g, %d probes: rate %.6g, want %.6g", r.N, r.P, k, got, want)
			}
		}
	}
}

func TestRateByBitsPerKeyGivesThePublishedTable(t *testing.T) {
	type best struct {
		K   int
		FPR float64
	}
	type file struct {
		Rows []struct {
			Bits    uint64 `json:"bits_per_key"`
			Bloom   best
			Blocked best `json:"blocked512"`
		}
		BlockedByK map[string]map[string]float64 `json:"blocked512_by_k"`
	}
	const n = 512 << 20
	f := vectors[file](t, "fpr_by_bits_per_key.json")
	for _, r := range f.Rows {
		m := r.Bits * n
		if k := OptimalProbes(m, n); k != r.Bloom.K {
			t.Errorf("%d bits: classic takes %d probes, want %d", r.Bits, k, r.Bloom.K)
		}
		if got := Rate(m, n, r.Bloom.K); !near(got, r.Bloom.FPR, 1e-4) {
			t.Errorf("%d bits: classic rate %.6g, want %.6g", r.Bits, got, r.Bloom.FPR)
		}
		lines := m / lineBits
		if k := BlockedProbes(lines, n); k != r.Blocked.K {
			t.Errorf("%d bits: blocked takes %d probes, want %d", r.Bits, k, r.Blocked.K)
		}
	}
	for bitsText, byK := range f.BlockedByK {
		bits, _ := strconv.Atoi(bitsText)
		for kText, want := range byK {
			k, _ := strconv.Atoi(kText)
			if got := BlockedRate(uint64(bits)*n/lineBits, n, k); !near(got, want, 1e-4) {
				t.Errorf("%d bits, %d probes: blocked rate %.6g, want %.6g", bits, k, got, want)
			}
		}
	}
}

func TestRateOfSmallFiltersIsExact(t *testing.T) {
	type file struct {
		Small []struct {
			M, N  uint64
			K     int
			Exact float64
		} `json:"small_bloom_exact"`
	}
	for _, r := range vectors[file](t, "variants.json").Small {
		if got := Rate(r.M, r.N, r.K); !near(got, r.Exact, 1e-5) {
			t.Errorf("m %d, n %d, k %d: %.9g, want %.9g", r.M, r.N, r.K, got, r.Exact)
		}
	}
	// One bit, one key: always maybe. Two bits, one key, one probe: a half.
	if got := Rate(1, 1, 30); got != 1 {
		t.Errorf("one bit: %g", got)
	}
	if got := Rate(2, 1, 1); !near(got, 0.5, 1e-12) {
		t.Errorf("two bits: %g", got)
	}
}

// The exact rate by a model without cancellation: the distribution of the number of set bits, throw by throw.
func TestExactRateAgreesWithTheOccupancyOfBits(t *testing.T) {
	for _, c := range []struct{ m, n, k int }{{10, 2, 3}, {64, 6, 7}, {200, 10, 14}, {300, 9, 23}, {512, 12, 30}} {
		set := make([]float64, c.m+1)
		set[0] = 1
		for range c.n * c.k {
			for x := c.m; x > 0; x-- {
				set[x] = set[x]*float64(x)/float64(c.m) + set[x-1]*float64(c.m-x+1)/float64(c.m)
			}
			set[0] = 0
		}
		want := 0.0
		for x, p := range set {
			want += p * math.Pow(float64(x)/float64(c.m), float64(c.k))
		}
		if got := Rate(uint64(c.m), uint64(c.n), c.k); !near(got, want, 1e-9) {
			t.Errorf("m %d, n %d, k %d: %.12g, want %.12g", c.m, c.n, c.k, got, want)
		}
	}
}

// One line is a small filter of 512 bits; many lines are a mixture.
func TestBlockedRateOfOneLineIsThatOfASmallFilter(t *testing.T) {
	for n := uint64(1); n < 200; n += 13 {
		for k := 1; k <= maxBlockedProbes; k++ {
			if got, want := BlockedRate(1, n, k), Rate(lineBits, n, k); !near(got, want, 1e-9) {
				t.Errorf("n %d, k %d: %g, want %g", n, k, got, want)
			}
		}
	}
}

func TestRateMeetsTheFormulaWhereTheExactOneEnds(t *testing.T) {
	const n = exactLimit / 10
	below, above := Rate(exactLimit, n, 7), Rate(exactLimit+1, n, 7)
	if !near(below, above, 0.004) {
		t.Errorf("%.6g at %d bits, %.6g at one more", below, exactLimit, above)
	}
}

func TestBlockedStepsAreTheBestProbesByExactTheory(t *testing.T) {
	const lines = 1 << 24
	rate := func(bitsPerKey float64, k int) float64 {
		return BlockedRate(lines, uint64(lines*lineBits/bitsPerKey), k)
	}
	for i, b := range blockedSteps {
		k := i + 1
		if !(rate(b-0.001, k) < rate(b-0.001, k+1) && rate(b+0.001, k) > rate(b+0.001, k+1)) {
			t.Errorf("%d and %d probes do not cross at %.4f bits", k, k+1, b)
		}
	}
	if blockedProbes(0.1) != 1 || blockedProbes(1000) != maxBlockedProbes {
		t.Error("probes leave their bounds")
	}
}

func TestMathIsDefinedAtItsEdges(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, p := range []float64{0, 1, -0.1, 1.5, nan, inf, -inf} {
		if m := OptimalBits(1000, p); m != 0 {
			t.Errorf("p %g: %d bits", p, m)
		}
	}
	checks := []struct {
		name      string
		got, want float64
	}{
		{"bits of no keys", float64(OptimalBits(0, 0.01)), 0},
		{"bits of p near 1", float64(OptimalBits(1, 0.999)), 1},
		{"bits that do not fit", float64(OptimalBits(math.MaxUint64, 0.01)), math.MaxUint64},
		{"probes without keys", float64(OptimalProbes(100, 0)), 1},
		{"probes without bits", float64(OptimalProbes(0, 100)), 1},
		{"probes of many bits", float64(OptimalProbes(math.MaxUint64, 1)), maxProbes},
		{"rate without keys", Rate(100, 0, 7), 0},
		{"rate without bits", Rate(0, 1, 7), 1},
		{"rate without probes", Rate(100, 1, 0), 1},
		{"rate of a full small filter", Rate(64, math.MaxUint64, 7), 1},
		{"rate of a full filter", Rate(1<<20, math.MaxUint64, 7), 1},
		{"blocked rate without keys", BlockedRate(1, 0, 6), 0},
		{"blocked rate without lines", BlockedRate(0, 1, 6), 1},
		{"blocked rate without probes", BlockedRate(1, 1, 0), 1},
		{"blocked rate of full lines", BlockedRate(2, math.MaxUint64, 6), 1},
		{"blocked probes without keys", float64(BlockedProbes(4, 0)), 1},
		{"blocked probes without lines", float64(BlockedProbes(0, 4)), 1},
	}
	for _, c := range checks {
		if c.got != c.want {
			t.Errorf("%s: %g, want %g", c.name, c.got, c.want)
		}
	}
}

func TestRateFallsWithBitsAndRisesWithKeys(t *testing.T) {
	for k := 1; k <= maxBlockedProbes; k += 3 {
		for n := uint64(1); n < 5000; n = n*3/2 + 1 {
			if Rate(8191, n+1, k) < Rate(8191, n, k) || Rate(2000, n+1, k) < Rate(2000, n, k) {
				t.Errorf("one key more than %d lowers the classic rate at %d probes", n, k)
			}
			if BlockedRate(16, n+1, k) < BlockedRate(16, n, k) {
				t.Errorf("one key more than %d lowers the blocked rate at %d probes", n, k)
			}
			if BlockedRate(17, n, k) > BlockedRate(16, n, k) {
				t.Errorf("one line more raises the rate of %d keys at %d probes", n, k)
			}
		}
	}
}
