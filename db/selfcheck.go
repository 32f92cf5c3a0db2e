package db

import (
	"math"
	"math/rand/v2"

	"siftdb/bloom"
)

// The store checks its own filters: theory says what rate each should have, the counters say what it has.

// RateBounds is the interval that holds the true rate of false positives with 95 % confidence, by what was counted
// (Wilson, 1927). Before the first probe of an absent key it is 0 to 1. Probes of one absent key again and again count
// as one would, so that a store that is asked for few keys has wider bounds in truth.
func (f FilterMetrics) RateBounds() (low, high float64) {
	return wilson(f.FalsePasses, f.FalsePasses+f.Skips, 1.96)
}

// wilson is the score interval for a share of hits in n trials, z standard deviations wide to each side.
func wilson(hits, n int64, z float64) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	trials := float64(n)
	p := float64(hits) / trials
	middle := p + z*z/(2*trials)
	half := z * math.Sqrt(p*(1-p)/trials+z*z/(4*trials*trials))
	scale := 1 + z*z/trials
	return max(0, (middle-half)/scale), min(1, (middle+half)/scale)
}

// A rate is suspect when it is further from theory than chance explains, and by so much that it matters: filters of
// one kind differ among each other, and an application's absent keys come more than once.
const (
	suspectDeviations = 5
	suspectFactor     = 1.25
)

// Suspect says whether the measured rate contradicts theory: it is outside of what chance explains, and a quarter or
// more above or below. A program that asks for a few absent keys over and over may see a rate of its own, which is no
// fault of the filters; the store's log tells of those that are at fault.
func (f FilterMetrics) Suspect() bool {
	low, high := wilson(f.FalsePasses, f.FalsePasses+f.Skips, suspectDeviations)
	expected := f.Expected()
	return low > expected*suspectFactor || high < expected/suspectFactor
}

// checkFilters says once of each table whose filter does not do what theory says. Where the counters make it suspect,
// it is asked for keys of the store's own choice.
func (k *keeper) checkFilters() {
	v := k.db.acquire(iteratorUser)
	if v == nil {
		return
	}
	defer k.db.release(v, iteratorUser)
	for level, tables := range v.tables {
		for _, t := range tables {
			filter := t.resident.Load()
			if filter == nil || filter == t.sampled || filter.Keys() < leastKeys || t.suspected ||
				!t.metrics().Suspect() {
				continue
			}
			t.sampled = filter
			m := sampled(filter)
			if t.suspected = m.Suspect(); t.suspected {
				k.db.opts.Logger.Warn("siftdb: a filter's rate is not what theory says", "table", t.file.name,
					"level", level, "measured", m.Rate(), "expected", m.Expected(), "probes", m.Skips+m.FalsePasses)
			}
		}
	}
}

// leastKeys is below which a filter's own rate may be far from that of its kind, of which theory is.
const leastKeys = 100

// Bounds of a sample: enough for a thousand false passes, and some milliseconds.
const (
	sampledPasses = 1000
	leastSample   = 10_000
	mostSample    = 1_000_000
)

// sampled asks a filter for keys at random, none of which it holds.
func sampled(filter bloom.TableFilter) (m FilterMetrics) {
	rate := filter.ExpectedRate()
	n := int64(min(max(leastSample, sampledPasses/rate), mostSample))
	for range n {
		if filter.MayContain(bloom.Hash{H1: rand.Uint64(), H2: rand.Uint64()}) {
			m.FalsePasses++
		} else {
			m.Skips++
		}
	}
	m.expectedFalse = rate * float64(n)
	return m
}
