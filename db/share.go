package db

import (
	"cmp"
	"math"
	"slices"

	"siftdb/bloom"
)

// share is how much of a table's filter should be in memory.
type share struct {
	table  *table
	steps  int     // planes; 1 for a filter that is not divided
	misses float64 // that the filter serves
}

// share divides the memory for filters among the tables of v, and orders them by the misses they serve.
func (k *keeper) share(v *view) []share {
	k.lookAtTraffic()
	shares := k.misses(v)
	for i, steps := range bloom.AllocateSteps(demandsOf(shares, (*table).stepsToMove), k.memoryFor(shares, 0)) {
		shares[i].steps = steps
	}
	slices.SortStableFunc(shares, func(a, b share) int { return cmp.Compare(b.misses, a.misses) })
	return shares
}

// demandsOf are the filters of shares, of the sizes that steps gives.
func demandsOf(shares []share, steps func(*table) []bloom.Step) []bloom.Demand {
	demands := make([]bloom.Demand, len(shares))
	for i, s := range shares {
		demands[i] = bloom.Demand{Misses: s.misses, Steps: steps(s.table)}
	}
	return demands
}

// memoryFor is the memory that the settings have for the tables of shares and so many more keys, in bits.
func (k *keeper) memoryFor(shares []share, keys int) uint64 {
	k.mu.Lock()
	set, offered := k.filterTuning, k.booked.offered
	k.mu.Unlock()
	memory := set.bits * float64(keys)
	for _, s := range shares {
		memory += set.allowance(s.table)
	}
	if set.limit > 0 {
		memory = min(memory, 8*float64(max(0, set.limit-offered)))
	}
	return uint64(min(memory, math.MaxInt64))
}

// allowance is what t adds to the memory for filters, in bits. Once bits per key were set on the live store it is
// those, for every table. Before, a table brings what its filter was made for: the options at Open say what new
// tables get, and old ones keep theirs. A filter that was built larger, for a place where keys deserve more, brings no
// more than others: what it takes beyond comes from them.
func (set *filterTuning) allowance(t *table) float64 {
	perKey := t.meta.AskedBits
	if set.live || t.meta.FilterPlanes > 1 && set.bits > 0 {
		perKey = set.bits
	}
	return perKey*float64(t.meta.Keys) + t.rounding(perKey)
}

// misses says how many misses each table of v serves, on the scale of the plan.
func (k *keeper) misses(v *view) []share {
	if k.plan == bloom.Uniform {
		return uniform(v)
	}
	shares := byLevel(v)
	if k.plan == bloom.Adaptive {
		k.blend(shares)
	}
	return shares
}

// uniform gives each key the same part, so that all tables get the same bits per key.
func uniform(v *view) (shares []share) {
	for _, tables := range v.tables {
		for _, t := range tables {
			shares = append(shares, share{table: t, misses: float64(t.meta.Keys)})
		}
	}
	return shares
}

// byLevel gives each sorted run the same part, spread over its tables by their keys: a look-up of an absent key asks
// one table of each (Dayan, Athanassoulis and Idreos, Monkey, 2017).
func byLevel(v *view) (shares []share) {
	for run := range v.runs() {
		keys := 0.0
		for _, t := range run {
			keys += float64(t.meta.Keys)
		}
		for _, t := range run {
			shares = append(shares, share{table: t, misses: float64(t.meta.Keys) / keys})
		}
	}
	return shares
}

// stickiness is by how much more a plane has to save where it would go than where it is.
const stickiness = 1.25

// stepsToMove are t's steps, of which those that are not in memory look as if they saved less than they do. What is in
// memory stays there unless it saves noticeably more elsewhere: noise in the traffic would keep
// planes moving otherwise.
func (t *table) stepsToMove() []bloom.Step {
	steps := t.steps()
	rate := 1.0 // of what is in memory
	for i := range steps {
		if i < t.resident.Load().steps() {
			rate = steps[i].Rate
		} else {
			steps[i].Rate = rate - (rate-steps[i].Rate)/stickiness
		}
	}
	return steps
}
