package db

import (
	"math/bits"
	"sync"

	"siftdb/bloom"
)

// loadedFilter is what is in memory of one table's filter. It does not change: more or fewer planes are another
// value. Reads take it by pointer and ask what is there. A nil one is none.
type loadedFilter struct {
	bloom.TableFilter
	bytes int64
}

func newLoaded(filter bloom.TableFilter) *loadedFilter {
	return &loadedFilter{TableFilter: filter, bytes: int64((filter.Bits() + 7) / 8)}
}

// size is its memory in bytes.
func (l *loadedFilter) size() int64 {
	if l == nil {
		return 0
	}
	return l.bytes
}

// steps is the number of planes; 1 for a filter that is not divided.
func (l *loadedFilter) steps() int {
	if l == nil {
		return 0
	}
	if e, ok := l.TableFilter.(*bloom.Elastic); ok {
		return e.Resident()
	}
	return 1
}

// show makes loaded what reads ask. What theory expects of the probes so far is settled at the old filter's rate
// first. Only the keeper calls it, and who makes the table.
func (t *table) show(loaded *loadedFilter) {
	t.expected.settle(t.filter.sums().absentAnswered(), t.rate())
	t.resident.Store(loaded)
}

// rate is what theory gives for the filter that reads ask now; 1 without one.
func (t *table) rate() float64 {
	if loaded := t.resident.Load(); loaded != nil {
		return loaded.ExpectedRate()
	}
	return 1
}

// steps are the sizes in which t's filter can be in memory, with the rate at each.
func (t *table) steps() []bloom.Step {
	size, planes := t.meta.FilterBits, t.meta.FilterPlanes
	if size == 0 || t.unusable.Load() {
		return nil
	}
	if planes <= 1 {
		return []bloom.Step{{Bits: size, Rate: t.meta.FilterRate}}
	}
	steps := make([]bloom.Step, planes-bits.OnesCount64(t.badPlanes.Load()))
	rate := 1.0
	for i := range steps {
		rate /= 2
		steps[i] = bloom.Step{Bits: size / uint64(planes) * uint64(i+1), Rate: rate}
	}
	return steps
}

// mostRounding is the most bits that whole words or lines add to a filter: a line of a blocked one.
const mostRounding = 512

// rounding is by how many bits an undivided filter, made for at most perKey bits per key, is larger than that because
// it comes in whole words or lines: it should not lose its place for them.
func (t *table) rounding(perKey float64) float64 {
	if t.meta.FilterPlanes > 1 || t.meta.AskedBits > perKey {
		return 0
	}
	return min(mostRounding, max(0, float64(t.meta.FilterBits)-perKey*float64(t.meta.Keys)))
}

// expectation is what theory makes of the probes of absent keys while the filter changes.
type expectation struct {
	mu      sync.Mutex
	settled int64   // probes that falses covers
	falses  float64 // how many of them theory makes false passes
}

// settle covers the probes up to absent, the last of them made at the given rate.
func (e *expectation) settle(absent int64, rate float64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.falses += float64(absent-e.settled) * rate
	e.settled = absent
}

// upTo is the expectation for all probes up to absent, the last of them at the given rate.
func (e *expectation) upTo(absent int64, rate float64) float64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.falses + float64(max(0, absent-e.settled))*rate
}
