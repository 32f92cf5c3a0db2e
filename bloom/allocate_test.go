package bloom

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestAllocateGivesThePublishedAllotments(t *testing.T) {
	type file struct {
		Cases []struct {
			Name        string
			N           []uint64
			F           []float64
			MemoryBits  uint64    `json:"memory_bits"`
			BitsPerKey  []float64 `json:"bits_per_key"`
			CostOptimal float64   `json:"cost_optimal"`
			CostUniform float64   `json:"cost_uniform"`
		}
	}
	cases := vectors[file](t, "allocation.json").Cases
	if len(cases) < 15 {
		t.Fatalf("%d cases", len(cases))
	}
	for _, c := range cases {
		levels := make([]Level, len(c.N))
		for i := range levels {
			levels[i] = Level{c.N[i], c.F[i]}
		}
		got := Allocate(levels, c.MemoryBits)
		uniform := make([]float64, len(levels))
		for i := range got {
			if math.Abs(got[i]-c.BitsPerKey[i]) > 1e-4 {
				t.Errorf("%s: part %d gets %.5f bits, want %.5f", c.Name, i, got[i], c.BitsPerKey[i])
			}
			uniform[i] = float64(c.MemoryBits) / keysOf(levels)
		}
		if cost := wastedReads(levels, got); !near(cost, c.CostOptimal, 1e-4) {
			t.Errorf("%s: costs %.7g, want %.7g", c.Name, cost, c.CostOptimal)
		}
		if cost := wastedReads(levels, uniform); !near(cost, c.CostUniform, 1e-4) {
			t.Errorf("%s: uniform costs %.7g, want %.7g", c.Name, cost, c.CostUniform)
		}
	}
}

func keysOf(levels []Level) (sum float64) {
	for _, l := range levels {
		sum += float64(l.Keys)
	}
	return sum
}

func bitsOf(levels []Level, perKey []float64) (sum float64) {
	for i, l := range levels {
		sum += float64(l.Keys) * perKey[i]
	}
	return sum
}

func wastedReads(levels []Level, perKey []float64) (sum float64) {
	for i, l := range levels {
		sum += l.Misses * math.Exp(-perKey[i]*math.Ln2*math.Ln2)
	}
	return sum
}

func TestAllocateKeepsItsLawsForRandomLevels(t *testing.T) {
	const seed = 20260801
	r := rand.New(rand.NewPCG(seed, 0))
	for round := range 2000 {
		levels := make([]Level, 1+r.IntN(12))
		for i := range levels {
			levels[i] = Level{uint64(r.ExpFloat64() * 1e5), math.Exp(8 * r.NormFloat64())}
			if r.IntN(5) == 0 {
				levels[i].Misses = 0
			}
		}
		memory := uint64(r.ExpFloat64() * 1e6)
		perKey := Allocate(levels, memory)

		served := false
		for i, b := range perKey {
			if !(b >= 0) || math.IsInf(b, 0) {
				t.Fatalf("seed %d round %d: %g bits", seed, round, b)
			}
			if (levels[i].Keys == 0 || levels[i].Misses == 0) && b != 0 {
				t.Fatalf("seed %d round %d: %g bits for %+v", seed, round, b, levels[i])
			}
			served = served || levels[i].Keys > 0 && levels[i].Misses > 0
		}
		if used := bitsOf(levels, perKey); served && math.Abs(used-float64(memory)) > 1e-6*float64(memory)+1e-6 {
			t.Fatalf("seed %d round %d: uses %g of %d bits", seed, round, used, memory)
		}
		for i, a := range levels {
			for j, b := range levels {
				if a.Keys > 0 && b.Keys > 0 && a.Misses/float64(a.Keys) > b.Misses/float64(b.Keys) && perKey[i] < perKey[j]-1e-9 {
					t.Fatalf("seed %d round %d: %+v gets %g, %+v gets %g", seed, round, a, perKey[i], b, perKey[j])
				}
			}
		}

		scaled := append([]Level(nil), levels...)
		for i := range scaled {
			scaled[i].Misses *= 1 << 20
		}
		for i, b := range Allocate(scaled, memory) {
			if math.Abs(b-perKey[i]) > 1e-6*(1+b) {
				t.Fatalf("seed %d round %d: misses scaled, %g becomes %g", seed, round, perKey[i], b)
			}
		}
		if more := wastedReads(levels, Allocate(levels, memory*2+1)); more > wastedReads(levels, perKey)*(1+1e-9) {
			t.Fatalf("seed %d round %d: more memory, more wasted reads", seed, round)
		}
		nudged := append([]float64(nil), perKey...)
		from, to := r.IntN(len(levels)), r.IntN(len(levels))
		if levels[from].Keys > 0 && levels[to].Keys > 0 && from != to {
			moved := math.Min(nudged[from]*float64(levels[from].Keys), float64(memory)/100)
			nudged[from] -= moved / float64(levels[from].Keys)
			nudged[to] += moved / float64(levels[to].Keys)
			if wastedReads(levels, nudged) < wastedReads(levels, perKey)*(1-1e-9) {
				t.Fatalf("seed %d round %d: moving bits from %d to %d is better", seed, round, from, to)
			}
		}
	}
}

func TestAllocateIsDefinedAtItsEdges(t *testing.T) {
	for name, levels := range map[string][]Level{
		"nothing":          nil,
		"no keys":          {{0, 1}, {0, 0}},
		"no misses":        {{10, 0}, {1000, 0}},
		"misses not known": {{10, math.NaN()}, {10, -1}},
	} {
		for i, b := range Allocate(levels, 1000) {
			if b != 0 {
				t.Errorf("%s: part %d gets %g bits", name, i, b)
			}
		}
	}
	if b := Allocate([]Level{{100, 1}, {100, 1}}, 0); b[0] != 0 || b[1] != 0 {
		t.Errorf("no memory: %v", b)
	}
	if b := Allocate([]Level{{100, math.Inf(1)}, {100, 1}}, 1000); !(b[0] > 9.99) {
		t.Errorf("endless misses: %v", b)
	}
}
