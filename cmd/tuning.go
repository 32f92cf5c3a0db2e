package cmd

import (
	"slices"

	"siftdb/bloom"
	"siftdb/db"
	"siftdb/internal/forecast"
)

// tuning is what is known of a store, its lookups, and what other filters would be to them.
type tuning struct {
	dir    string
	tables []db.TableInfo
	store  forecast.Store
	bits   float64 // per key, that the store runs with
	kind   forecast.Kind

	keys   lookups
	probed *tally      // nil without a probe
	cache  *cachePrice // nil where it was not measured
	// theory is what the filters that were probed should have wasted, for a lookup.
	theory float64

	now   forecast.Outcome // of the filters that there are
	best  forecast.Outcome // of the kind that wastes least in the same memory
	next  forecast.Outcome // of that kind, in 1 MiB more
	curve []curvePoint
}

// cachePrice is what a block cache of so many bytes would save if it had so many more.
type cachePrice struct {
	bytes, more int64
	saved       float64 // reads of files, for a lookup
}

// perMiB is what one MiB more saves.
func (p *cachePrice) perMiB() float64 { return p.saved * bytesOfMiB / float64(p.more) }

// curvePoint is what each of curveKinds wastes at a number of bits per key.
type curvePoint struct {
	bits     float64
	outcomes []forecast.Outcome
}

// curveKinds are the filters that can be had: those that there are, and what rebuild-filters makes.
func (t *tuning) curveKinds() []forecast.Kind {
	return []forecast.Kind{t.kind, forecast.UniformBlocked, forecast.UniformClassic, forecast.UniformFuse,
		forecast.ByLevelRibbon, forecast.AdaptiveRibbon, forecast.Recommended}
}

// take takes in the store's tables, and guesses its lookups by their bounds.
func (t *tuning) take(store *db.DB, bits float64, plan bloom.Plan) {
	t.tables = slices.Collect(store.Tables())
	ruler := newRuler(t.tables)
	parts, covers := make([]forecast.Part, len(t.tables)), make([]float64, len(t.tables))
	for i, info := range t.tables {
		parts[i] = forecast.Part{Level: info.Level, Tables: 1, Keys: info.Keys, Built: builtSteps(info)}
		covers[i] = ruler.cover(info)
	}
	t.store, t.bits, t.kind = forecast.Evenly(parts, covers), bits, forecast.AsBuilt
	t.kind.Plan = plan
}

// learn takes in what became of lookups, and what theory makes of the filters that they met.
func (t *tuning) learn(probed *tally) {
	t.probed = probed
	probed.spread(&t.store, t.tables)
	memory, rates := make([]uint64, len(t.tables)), make([]float64, len(t.tables))
	for i, info := range t.tables {
		rates[i] = 1
		if info.Filter.Bits > 0 {
			memory[i], rates[i] = uint64(info.Filter.Bits), info.Filter.Expected()
		}
	}
	t.theory = t.store.AsIs(memory, rates).Wasted
}

const (
	// bitsWithout are compared where there are no filters.
	bitsWithout = 10
	mostBits    = 64
	bytesOfMiB  = 1 << 20
)

// compute computes what there is to tell.
func (t *tuning) compute() {
	t.now = t.store.Foretell(t.kind, t.bits)
	bits := t.now.BitsPerKey()
	if bits == 0 {
		bits = bitsWithout
	}
	t.best = t.least(bits)
	t.next = t.store.Foretell(t.best.Kind, min(mostBits, bits+8*bytesOfMiB/float64(t.store.Keys())))
	for bits := 2.0; bits <= 20; bits++ {
		p := curvePoint{bits: bits}
		for _, kind := range t.curveKinds() {
			p.outcomes = append(p.outcomes, t.store.Foretell(kind, bits))
		}
		t.curve = append(t.curve, p)
	}
}

// notable is by how much a kind must waste less than one before it to be preferred to it: rebuilding has its price.
const notable = 0.9

// least is what wastes least at bits per key. The filters that there are come first, and then what a store does by
// itself.
func (t *tuning) least(bits float64) forecast.Outcome {
	best := t.store.Foretell(t.kind, bits)
	for _, kind := range []forecast.Kind{
		forecast.Recommended, forecast.AdaptiveRibbon,
		forecast.UniformFuse, forecast.UniformClassic, forecast.UniformBlocked,
	} {
		if o := t.store.Foretell(kind, bits); o.Wasted < notable*best.Wasted {
			best = o
		}
	}
	return best
}

// builtSteps are the sizes that the filter in t's file can have in memory.
func builtSteps(t db.TableInfo) []bloom.Step {
	if t.FilterFamily == "" {
		return nil
	}
	if t.FilterPlanes > 1 {
		steps, rate := make([]bloom.Step, t.FilterPlanes), 1.0
		for i := range steps {
			rate /= 2
			steps[i] = bloom.Step{Bits: uint64(t.FilterBits) / uint64(len(steps)) * uint64(i+1), Rate: rate}
		}
		return steps
	}
	if t.Filter.Bits > 0 { // it is in memory, and says itself
		return []bloom.Step{{Bits: uint64(t.FilterBits), Rate: t.Filter.Expected()}}
	}
	// What it was built with, a little more since that was rounded.
	bits := (float64(t.FilterBits) + 1) / float64(t.Keys)
	_, steps := bloom.Sizes(family(t.FilterFamily).policy(bits), bloom.Place{Reason: bloom.ReasonCompaction}, t.Keys)
	return steps
}
