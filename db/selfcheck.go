package db

import "math"

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
// more above or below.
func (f FilterMetrics) Suspect() bool {
	low, high := wilson(f.FalsePasses, f.FalsePasses+f.Skips, suspectDeviations)
	expected := f.Expected()
	return low > expected*suspectFactor || high < expected/suspectFactor
}

// checkFilters says once of each table whose filter does not do what theory says.
func (k *keeper) checkFilters() {
	v := k.db.acquire(iteratorUser)
	if v == nil {
		return
	}
	defer k.db.release(v, iteratorUser)
	for level, tables := range v.tables {
		for _, t := range tables {
			m := t.metrics()
			if !m.Suspect() || !t.suspected.CompareAndSwap(false, true) {
				continue
			}
			k.db.opts.Logger.Warn("siftdb: a filter's rate is not what theory says", "table", t.file.name,
				"level", level, "measured", m.Rate(), "expected", m.Expected(), "probes", m.Skips+m.FalsePasses)
		}
	}
}
