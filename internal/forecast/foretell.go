package forecast

import (
	"math"

	"siftdb/bloom"
)

// Foretell says what filters of a kind come to at so many bits per key, more than 0 and up to 64.
func (s Store) Foretell(k Kind, bits float64) Outcome {
	o := Outcome{Kind: k, BitsAsked: bits}
	memory, rates := s.filters(k, bits)
	for i, p := range s.Parts {
		o.add(p, s.misses(i), memory[i], rates[i])
	}
	return o
}

// filters gives each part's memory and rate.
func (s Store) filters(k Kind, bits float64) (memory []uint64, rates []float64) {
	demands := s.demands(k, bits)
	steps := bloom.AllocateSteps(demands, s.allowance(demands, bits))
	memory, rates = make([]uint64, len(steps)), make([]float64, len(steps))
	for i, n := range steps {
		rates[i] = 1
		if n > 0 {
			memory[i], rates[i] = demands[i].Steps[n-1].Bits, demands[i].Steps[n-1].Rate
		}
	}
	return memory, rates
}

// demands are the filters that are built, with the misses that the plan takes them to serve.
func (s Store) demands(k Kind, bits float64) []bloom.Demand {
	weights := s.weights(k.Plan)
	demands := make([]bloom.Demand, len(s.Parts))
	same := newGauge(k.policy(bits))
	built := func(int) *gauge { return same }
	if k.tailored {
		each := s.tailor(weights, bits)
		built = func(i int) *gauge { return newGauge(k.policy(math.Min(each[i], mostBits))) }
	}
	for i, p := range s.Parts {
		demands[i] = bloom.Demand{Misses: weights[i], Steps: built(i).steps(p)}
	}
	return demands
}

// mostBits is the most bits per key that a filter can be built with.
const mostBits = 64

// tailor gives the bits per key of each part for which filters are built so that they waste least.
func (s Store) tailor(weights []float64, bits float64) []float64 {
	levels := make([]bloom.Level, len(s.Parts))
	for i, p := range s.Parts {
		levels[i] = bloom.Level{Keys: p.Keys, Misses: weights[i]}
	}
	return bloom.Allocate(levels, uint64(bits*float64(s.Keys())))
}

// allowance is the memory for filters in bits, as a store reckons it: so many bits for each key, and what filters that
// cannot be divided take, which is so many and a little more.
func (s Store) allowance(demands []bloom.Demand, bits float64) uint64 {
	sum := 0.0
	for i, d := range demands {
		if len(d.Steps) == 1 {
			sum += float64(d.Steps[0].Bits)
		} else {
			sum += bits * float64(s.Parts[i].Keys)
		}
	}
	return uint64(math.Min(sum, math.MaxInt64))
}

// expectedPart is how much of all misses a store shares out by level though it has measured others, so that a table
// that nobody has asked yet keeps a little.
const expectedPart = 0.01

// weights are the misses that a plan takes each part to serve, on any scale.
func (s Store) weights(plan bloom.Plan) []float64 {
	if plan == bloom.Uniform {
		keys := make([]float64, len(s.Parts))
		for i, p := range s.Parts {
			keys[i] = float64(p.Keys)
		}
		return keys
	}
	weights := s.byLevel()
	if plan == bloom.Adaptive {
		measured, expected := 0.0, 0.0
		for i, w := range weights {
			measured += s.misses(i)
			expected += w
		}
		for i := range weights {
			weights[i] = s.misses(i) + expectedPart*measured*quotient(weights[i], expected)
		}
	}
	return weights
}

// byLevel takes each level to be missed as often, and each table of level 0.
func (s Store) byLevel() []float64 {
	keys := make(map[int]float64)
	for _, p := range s.Parts {
		keys[p.Level] += float64(p.Keys)
	}
	weights := make([]float64, len(s.Parts))
	for i, p := range s.Parts {
		weights[i] = quotient(float64(p.Keys), keys[p.Level])
		if p.Level == 0 {
			weights[i] = float64(p.Tables)
		}
	}
	return weights
}
