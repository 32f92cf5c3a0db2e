package bloom

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// planeSteps are those of a filter in planes.
func planeSteps(keys float64) []Step {
	steps := make([]Step, maxPlanes)
	for i := range steps {
		steps[i] = Step{Bits: uint64(float64(i+1) * slotsPerKey * keys), Rate: math.Ldexp(1, -i-1)}
	}
	return steps
}

// stepCost is what is let through, and stepBits the memory it takes.
func stepCost(demands []Demand, taken []int) (cost float64) {
	for i, d := range demands {
		rate := 1.0
		if taken[i] > 0 {
			rate = d.Steps[taken[i]-1].Rate
		}
		cost += d.Misses * rate
	}
	return cost
}

func stepBits(demands []Demand, taken []int) (bits uint64) {
	for i, d := range demands {
		if taken[i] > 0 {
			bits += d.Steps[taken[i]-1].Bits
		}
	}
	return bits
}

// Reference: four levels of 1, 10, 100 and 1000 equal tables, each level missed once a lookup, its tables equally often or
// by Zipf's law.
func TestAllocateStepsGivesThePublishedCosts(t *testing.T) {
	const keys = 100_000
	for _, c := range []struct{ bits, even, zipf float64 }{{4, .108, .0402}, {6, .0286, .0107}, {8, .00757, .00287}, {10, .00200, .00078}} {
		for exponent, want := range map[float64]float64{0: c.even, 0.99: c.zipf} {
			var demands []Demand
			for _, tables := range []int{1, 10, 100, 1000} {
				sum := 0.0
				for rank := 1; rank <= tables; rank++ {
					sum += math.Pow(float64(rank), -exponent)
				}
				for rank := 1; rank <= tables; rank++ {
					demands = append(demands, Demand{math.Pow(float64(rank), -exponent) / sum, planeSteps(keys)})
				}
			}
			memory := uint64(c.bits * keys * float64(len(demands)))
			taken := AllocateSteps(demands, memory)
			if got := stepCost(demands, taken); !near(got, want, 0.006) {
				t.Errorf("%g bits, Zipf %g: %.4g wasted reads, want %.4g", c.bits, exponent, got, want)
			}
			if used := stepBits(demands, taken); used > memory || memory-used > keys*2 {
				t.Errorf("%g bits, Zipf %g: uses %d of %d", c.bits, exponent, used, memory)
			}
		}
	}
}

// Bloom's curve in small steps must come to what Allocate gives.
func TestAllocateStepsAgreesWithAllocate(t *testing.T) {
	type file struct {
		Cases []struct {
			Name        string
			N           []float64
			F           []float64
			MemoryBits  uint64    `json:"memory_bits"`
			BitsPerKey  []float64 `json:"bits_per_key"`
			CostOptimal float64   `json:"cost_optimal"`
		}
	}
	const perBit = 100
	for _, c := range vectors[file](t, "allocation.json").Cases {
		demands := make([]Demand, len(c.N))
		for i := range demands {
			steps := make([]Step, 128*perBit)
			for k := range steps {
				b := float64(k+1) / perBit
				steps[k] = Step{uint64(math.Round(b * c.N[i])), math.Exp(-b * math.Ln2 * math.Ln2)}
			}
			demands[i] = Demand{c.F[i], steps}
		}
		taken := AllocateSteps(demands, c.MemoryBits)
		for i, k := range taken {
			// What is left at the end is a step of the largest part, which is many of a small one.
			if got := float64(k) / perBit; got < c.BitsPerKey[i]-1.01/perBit || got > c.BitsPerKey[i]+0.3 {
				t.Errorf("%s: part %d gets %.2f bits, want %.4f", c.Name, i, got, c.BitsPerKey[i])
			}
		}
		if cost := stepCost(demands, taken); !near(cost, c.CostOptimal, 2e-3) {
			t.Errorf("%s: costs %.6g, want %.6g", c.Name, cost, c.CostOptimal)
		}
	}
}

// randomDemands have convex curves: each step saves less per bit than the one before, or as much.
func randomDemands(r *rand.Rand, filters, most int) []Demand {
	demands := make([]Demand, filters)
	for i := range demands {
		d := &demands[i]
		if d.Misses = math.Exp(2 * r.NormFloat64()); r.IntN(6) == 0 {
			d.Misses = 0
		}
		if r.IntN(3) == 0 {
			d.Misses = 1 // ties
		}
		size, rate, fall, bits := uint64(1+r.IntN(20)), 1.0, 0.5, uint64(0)
		for range r.IntN(most + 1) {
			bits += size
			rate *= fall
			d.Steps = append(d.Steps, Step{bits, rate})
			if r.IntN(3) == 0 {
				size += uint64(r.IntN(10))
			}
			fall = min(0.9, fall+0.1*float64(r.IntN(2)))
		}
	}
	return demands
}

// slowly is the greedy rule word for word: of all next steps the one that saves most per bit; a filter whose next step
// does not fit is done.
func slowly(demands []Demand, memory uint64) []int {
	taken := make([]int, len(demands))
	done := make([]bool, len(demands))
	saving := func(i int) (float64, uint64) {
		before := Step{Rate: 1}
		if taken[i] > 0 {
			before = demands[i].Steps[taken[i]-1]
		}
		next := demands[i].Steps[taken[i]]
		bits := next.Bits - before.Bits
		return demands[i].Misses * (before.Rate - next.Rate) / float64(bits), bits
	}
	for {
		best, most, cost := -1, 0.0, uint64(0)
		for i := range demands {
			if !done[i] && taken[i] < len(demands[i].Steps) {
				if s, bits := saving(i); s > most {
					best, most, cost = i, s, bits
				}
			}
		}
		switch {
		case best < 0:
			return taken
		case cost > memory:
			done[best] = true
		default:
			taken[best]++
			memory -= cost
		}
	}
}

func TestAllocateStepsIsTheGreedyRule(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 0))
	for round := range 4000 {
		demands := randomDemands(r, 1+r.IntN(30), 8)
		memory := uint64(r.IntN(3000))
		got, want := AllocateSteps(demands, memory), slowly(demands, memory)
		// Steps that save the same per bit but for rounding may be taken in another order.
		if !slices.Equal(got, want) && !near(stepCost(demands, got), stepCost(demands, want), 1e-12) {
			t.Fatalf("seed %d round %d: %v, want %v", seed, round, got, want)
		}
	}
}

// Of all ways to spend the memory none is better by more than the first step that did not fit would have saved; none at all
// when everything up to some price was bought.
func TestAllocateStepsIsOptimal(t *testing.T) {
	const seed = 4
	r := rand.New(rand.NewPCG(seed, 0))
	for round := range 1500 {
		demands := randomDemands(r, 1+r.IntN(5), 5)
		memory := uint64(r.IntN(200))
		taken := AllocateSteps(demands, memory)
		if used := stepBits(demands, taken); used > memory {
			t.Fatalf("seed %d round %d: %d of %d bits", seed, round, used, memory)
		}
		missing := 0.0
		for i, d := range demands {
			if taken[i] < len(d.Steps) {
				one := slices.Clone(taken)
				one[i]++
				missing = max(missing, stepCost(demands, taken)-stepCost(demands, one))
			}
		}
		best := cheapest(demands, memory, make([]int, len(demands)), 0)
		if cost := stepCost(demands, taken); cost > best+missing+1e-12 {
			t.Fatalf("seed %d round %d: costs %g, best is %g, a step saves %g", seed, round, cost, best, missing)
		}
		exact := stepsUntilFull(demands, memory)
		if cost, best := stepCost(demands, AllocateSteps(demands, exact)), cheapest(demands, exact, make([]int, len(demands)), 0); cost > best+1e-12 {
			t.Fatalf("seed %d round %d: with the memory just used it costs %g, best is %g", seed, round, cost, best)
		}
	}
}

// cheapest tries everything.
func cheapest(demands []Demand, memory uint64, taken []int, i int) float64 {
	if i == len(demands) {
		return stepCost(demands, taken)
	}
	best := math.Inf(1)
	for k := 0; k <= len(demands[i].Steps); k++ {
		if k > 0 && demands[i].Steps[k-1].Bits > memory {
			break
		}
		left := memory
		if k > 0 {
			left -= demands[i].Steps[k-1].Bits
		}
		taken[i] = k
		best = min(best, cheapest(demands, left, taken, i+1))
	}
	taken[i] = 0
	return best
}

// stepsUntilFull is the memory that the dearest steps take up to the first that does not fit.
func stepsUntilFull(demands []Demand, memory uint64) (used uint64) {
	offers := offersOf(demands)
	slices.SortStableFunc(offers, func(a, b offer) int { return cmp.Compare(b.saving, a.saving) })
	for _, o := range offers {
		if used+o.bits > memory {
			break
		}
		used += o.bits
	}
	return used
}

func TestAllocateStepsKeepsItsLaws(t *testing.T) {
	const seed = 5
	r := rand.New(rand.NewPCG(seed, 0))
	for round := range 1000 {
		demands := randomDemands(r, 1+r.IntN(40), 10)
		memory := uint64(r.IntN(5000))
		taken := AllocateSteps(demands, memory)
		for i, d := range demands {
			if d.Misses == 0 && taken[i] > 0 {
				t.Fatalf("seed %d round %d: %d steps without misses", seed, round, taken[i])
			}
		}
		if again := AllocateSteps(demands, memory); !slices.Equal(again, taken) {
			t.Fatalf("seed %d round %d: another result the second time", seed, round)
		}
		scaled := slices.Clone(demands)
		for i := range scaled {
			scaled[i].Misses *= 1 << 30
		}
		if again := AllocateSteps(scaled, memory); !slices.Equal(again, taken) {
			t.Fatalf("seed %d round %d: another result with misses scaled", seed, round)
		}
		more := AllocateSteps(demands, memory+uint64(r.IntN(300)))
		if stepCost(demands, more) > stepCost(demands, taken)*(1+1e-12) {
			t.Fatalf("seed %d round %d: more memory, more wasted reads", seed, round)
		}
		for i, k := range AllocateSteps(demands, math.MaxUint64) {
			if d := demands[i]; d.Misses > 0 && k != len(d.Steps) {
				t.Fatalf("seed %d round %d: %d of %d steps with all the memory there is", seed, round, k, len(d.Steps))
			}
		}
	}
}

// Among filters of the same size the one with more misses never gets fewer steps, and of equals the first gets the last step.
func TestAllocateStepsFollowsTheMisses(t *testing.T) {
	const seed = 6
	r := rand.New(rand.NewPCG(seed, 0))
	for range 200 {
		demands := make([]Demand, 50)
		for i := range demands {
			demands[i] = Demand{math.Floor(10 * r.ExpFloat64()), planeSteps(1000)}
		}
		taken := AllocateSteps(demands, uint64(r.IntN(800_000)))
		for i, a := range demands {
			for j, b := range demands {
				if a.Misses > b.Misses && taken[i] < taken[j] || i < j && a.Misses == b.Misses && (taken[i] < taken[j] || taken[i] > taken[j]+1) {
					t.Fatalf("seed %d: %g misses get %d steps, %g get %d", seed, a.Misses, taken[i], b.Misses, taken[j])
				}
			}
		}
	}
}

func TestAllocateStepsIsDefinedAtItsEdges(t *testing.T) {
	one := []Step{{100, 0.1}}
	for name, c := range map[string]struct {
		demands []Demand
		memory  uint64
		want    []int
	}{
		"nothing":               {nil, 100, []int{}},
		"no steps":              {[]Demand{{1, nil}, {1, one}}, 100, []int{0, 1}},
		"no memory":             {[]Demand{{1, one}}, 0, []int{0}},
		"a bit too few":         {[]Demand{{1, one}}, 99, []int{0}},
		"misses not known":      {[]Demand{{math.NaN(), one}, {-1, one}, {1, one}}, 300, []int{0, 0, 1}},
		"endless misses":        {[]Demand{{1, one}, {math.Inf(1), one}}, 100, []int{0, 1}},
		"few misses":            {[]Demand{{1e-300, one}, {0, one}}, 200, []int{1, 0}},
		"rates not known":       {[]Demand{{1, []Step{{100, math.NaN()}}}, {1, one}}, 300, []int{0, 1}},
		"a step that is free":   {[]Demand{{1, []Step{{0, 0.5}, {100, 0.4}}}}, 0, []int{1}},
		"a step that is wasted": {[]Demand{{1, []Step{{10, 0.5}, {20, 0.5}, {30, 0.4}}}}, 100, []int{1}},
		"sizes that fall":       {[]Demand{{1, []Step{{50, 0.5}, {20, 0.4}}}}, 50, []int{2}},
		"larger than memory":    {[]Demand{{1, []Step{{math.MaxUint64, 1e-9}}}, {1e-9, one}}, math.MaxUint64 - 1, []int{0, 1}},
		"more than there is":    {[]Demand{{1, []Step{{math.MaxUint64, 0}}}, {1, []Step{{math.MaxUint64, 0}}}}, math.MaxUint64, []int{1, 0}},
		"the second step pays":  {[]Demand{{1, []Step{{100, 0.9}, {101, 0.1}}}, {1, []Step{{100, 0.95}}}}, 101, []int{2, 0}},
		"whole filters":         {[]Demand{{1, one}, {3, one}, {2, one}}, 250, []int{0, 1, 1}},
		"room for a small one":  {[]Demand{{5, []Step{{100, 0.1}}}, {1, []Step{{50, 0.5}}}}, 60, []int{0, 1}},
	} {
		if got := AllocateSteps(c.demands, c.memory); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func BenchmarkAllocateSteps(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 0))
	for _, tables := range []int{100, 10_000} {
		demands := make([]Demand, tables)
		keys := 0.0
		for i := range demands {
			n := 50_000 + 50_000*r.Float64()
			keys += n
			demands[i] = Demand{r.ExpFloat64(), planeSteps(n)}
		}
		b.Run(fmt.Sprintf("tables=%d", tables), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				AllocateSteps(demands, uint64(10*keys))
			}
		})
	}
}

func TestPlansHaveNames(t *testing.T) {
	for plan, name := range map[Plan]string{Adaptive: "adaptive", ByLevel: "by-level", Uniform: "uniform"} {
		if plan.String() != name {
			t.Errorf("%v, want %s", plan, name)
		}
		if got, err := ParsePlan(name); got != plan || err != nil {
			t.Errorf("%s is read as %v, %v", name, got, err)
		}
	}
	var zero Plan
	if zero != Adaptive || Plan(7).String() != "plan 7" {
		t.Errorf("%v, %v", zero, Plan(7))
	}
	for _, name := range []string{"", "Adaptive", "plan 7", "by level"} {
		if _, err := ParsePlan(name); err == nil {
			t.Errorf("%q is a plan", name)
		}
	}
}
