package db

import (
	"sync/atomic"

	"siftdb/internal/manifest"
)

// filterCounts counts what one table's filter answered to point reads of every kind. The number of checks is
// their sum and not counted apart, so that it always agrees.
type filterCounts struct {
	skips, truePasses, falsePasses atomic.Int64
	unfiltered                     atomic.Int64 // probes that asked no filter
	reported                       atomic.Bool  // whether the log says that the filter is unusable
}

// count notes how a point read's step in the table ended.
func (c *filterCounts) count(outcome StepOutcome) {
	switch outcome {
	case StepFilterSkip:
		c.skips.Add(1)
	case StepTruePass:
		c.truePasses.Add(1)
	case StepFalsePass:
		c.falsePasses.Add(1)
	default:
		c.unfiltered.Add(1)
	}
}

// metrics is what t's filter holds and has counted since the table was made or the store opened.
func (t *table) metrics() FilterMetrics {
	skips, falses := t.filter.skips.Load(), t.filter.falsePasses.Load()
	trues := t.filter.truePasses.Load()
	rate := t.meta.FilterRate
	return FilterMetrics{
		Keys:              int64(t.meta.Keys),
		Bits:              int64(t.meta.FilterBits),
		Checks:            skips + trues + falses,
		Skips:             skips,
		TruePasses:        trues,
		FalsePasses:       falses,
		BlockReadsSkipped: skips,
		expectedFalse:     rate * float64(skips+falses),
		expectedKeys:      rate * float64(t.meta.Keys),
	}
}

// sinceLevel is what t has counted at its present level.
func (t *table) sinceLevelLocked() FilterMetrics { return t.metrics().sub(t.base) }

// moveLocked notes that t is at another level now: what it counted stays with the level it left. DB.mu is held.
func (db *DB) moveLocked(t *table, level int) {
	if t.level == level {
		return
	}
	now := t.metrics() // once: reads go on counting
	db.levelGone[t.level].addCounters(now.sub(t.base))
	t.base, t.level = now, level
}

// filterMetricsLocked adds up the tables of each level: those of the current version with what they hold, the
// others with what they counted. DB.mu is held.
func (db *DB) filterMetricsLocked(current *manifest.Version) (levels [manifest.NumLevels]FilterMetrics) {
	levels = db.levelGone
	inVersion := make(map[uint64]bool, len(db.live))
	for _, meta := range current.All() {
		inVersion[meta.Number] = true
	}
	for number, t := range db.live {
		counted := t.sinceLevelLocked()
		levels[t.level].addCounters(counted)
		if inVersion[number] {
			levels[t.level].Keys += counted.Keys
			levels[t.level].Bits += counted.Bits
			levels[t.level].expectedKeys += counted.expectedKeys
		}
	}
	return levels
}
