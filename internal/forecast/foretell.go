package forecast

import (
	"math"

	"siftdb/bloom"
)

// Foretell says what filters of a kind come to at so many bits per key, more than 0 and up to 64.
func (s Store) Foretell(k Kind, bits float64) Outcome {
	memory, rates := s.filters(k, bits)
	o := s.AsIs(memory, rates)
	o.Kind, o.BitsAsked = k, bits
	return o
}

// AsIs says what filters come to that take so many bits in each part, and let through that share of its misses.
func (s Store) AsIs(memory []uint64, rates []float64) (o Outcome) {
	for i, p := range s.Parts {
		o.add(p, s.misses(i), memory[i], rates[i])
	}
	return o
}

// filters gives each part's memory and rate.
func (s Store) filters(k Kind, bits float64) (memory []uint64, rates []float64) {
	demands, steps := s.allocate(k, bits)
	memory, rates = make([]uint64, len(steps)), make([]float64, len(steps))
	for i, n := range steps {
		rates[i] = 1
		if n > 0 {
			memory[i], rates[i] = demands[i].Steps[n-1].Bits, demands[i].Steps[n-1].Rate
		}
	}
	return memory, rates
}

// allocate gives the filters that are built, with the misses that the plan takes them to serve, and how many steps of
// each are in memory.
func (s Store) allocate(k Kind, bits float64) (demands []bloom.Demand, steps []int) {
	weights := s.weights(k.Plan)
	sizes := s.sizes(k, bits, weights)
	young := young{kind: k, perKey: bits, every: 1 + s.tablesOfLevel0()/mostShares}
	demands = make([]bloom.Demand, len(s.Parts))
	for i := len(demands) - 1; i >= 0; i-- { // the oldest first, as they are built
		own := 0.0
		if k.shared && s.Parts[i].Level == 0 {
			own = young.next(s.Parts[i].Keys, Store{Parts: s.Parts[i+1:]}, demands[i+1:])
		}
		demands[i] = bloom.Demand{Misses: weights[i], Steps: sizes(i, own)}
	}
	return demands, bloom.AllocateSteps(demands, s.allowance(k, demands, bits))
}

func (s Store) tablesOfLevel0() int {
	n := 0
	for n < len(s.Parts) && s.Parts[n].Level == 0 {
		n++
	}
	return n
}

// sizes gives the function that tells the sizes of part i's filters, where the plan has own bits per key for it if it
// is young.
func (s Store) sizes(k Kind, bits float64, weights []float64) func(i int, own float64) []bloom.Step {
	switch {
	case k.policy == nil:
		return func(i int, _ float64) []bloom.Step { return s.Parts[i].Built }
	case k.tailored:
		each := s.tailor(weights, bits)
		return func(i int, own float64) []bloom.Step {
			return newGauge(k.policy(math.Min(each[i], mostBits))).steps(s.Parts[i], own)
		}
	}
	same := newGauge(k.policy(bits))
	return func(i int, own float64) []bloom.Step { return same.steps(s.Parts[i], own) }
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

// allowance is the memory for filters in bits, as a store reckons it: so many bits for each key. Filters that cannot be
// divided come in whole words and lines; where they were made for so many bits, the rounding is on top, but not what
// young ones get beyond.
func (s Store) allowance(k Kind, demands []bloom.Demand, bits float64) uint64 {
	sum := 0.0
	for i, d := range demands {
		sum += bits * float64(s.Parts[i].Keys)
		if len(d.Steps) != 1 {
			continue
		}
		over := float64(d.Steps[0].Bits) - bits*float64(s.Parts[i].Keys)
		switch rounding := mostRounding * float64(s.Parts[i].Tables); {
		case k.tailored:
			sum += over
		case k.policy != nil:
			sum += math.Min(over, rounding)
		case over > 0 && over <= rounding:
			sum += over
		}
	}
	return uint64(math.Min(sum, math.MaxInt64))
}

// mostRounding is a line of a blocked filter, in bits.
const mostRounding = 512

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
