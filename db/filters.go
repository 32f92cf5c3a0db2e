package db

import (
	"sync/atomic"

	"siftdb/internal/manifest"
	"siftdb/internal/striped"
	"siftdb/sstable"
)

// filterCounts counts what one table's filter answered to point reads of every kind. The number of checks is
// their sum and not counted apart, so that it always agrees. Look-ups that a filter answers do little else, so the
// counts are striped, at 4 KiB a table. They are made by new, for the lines to begin at cache lines.
type filterCounts [striped.Lines]filterCountsLine

// filterCountsLine is a cache line of filterCounts, which it fills: what is counted by some of the goroutines.
type filterCountsLine struct {
	skips, truePasses, falsePasses atomic.Int64
	unfiltered                     [reasons]atomic.Int64 // probes that asked no filter
	unfilteredAbsent               atomic.Int64          // those of them that did not find the key
}

// reason says why a probe asked no filter.
type reason uint8

const (
	noFilter    reason = iota // the table was built without
	notResident               // not in memory: no share of it, or not loaded yet
	unusable                  // damaged, or of an unknown kind
	ignored                   // the read was told to
	reasons
)

// line is where the calling goroutine counts.
func (c *filterCounts) line() *filterCountsLine { return &c[striped.Line()] }

// skipped counts a filter's "surely not".
func (c *filterCounts) skipped() { c.line().skips.Add(1) }

// passed counts a filter's "maybe", once the table has said whether it holds the key.
func (c *filterCounts) passed(outcome sstable.Outcome) {
	if outcome == sstable.Absent {
		c.line().falsePasses.Add(1)
	} else {
		c.line().truePasses.Add(1)
	}
}

// unasked counts a probe that asked no filter.
func (c *filterCounts) unasked(why reason, outcome sstable.Outcome) {
	line := c.line()
	line.unfiltered[why].Add(1)
	if outcome == sstable.Absent {
		line.unfilteredAbsent.Add(1)
	}
}

// filterSums are what filterCounts have in all lines.
type filterSums struct {
	skips, truePasses, falsePasses int64
	unfiltered                     UnfilteredProbes
	unfilteredAbsent               int64
}

// sums adds up the lines.
func (c *filterCounts) sums() (all filterSums) {
	for i := range c {
		line := &c[i]
		all.skips += line.skips.Load()
		all.truePasses += line.truePasses.Load()
		all.falsePasses += line.falsePasses.Load()
		all.unfiltered.add(UnfilteredProbes{
			NoFilter:    line.unfiltered[noFilter].Load(),
			NotResident: line.unfiltered[notResident].Load(),
			Unusable:    line.unfiltered[unusable].Load(),
			Ignored:     line.unfiltered[ignored].Load(),
		})
		all.unfilteredAbsent += line.unfilteredAbsent.Load()
	}
	return all
}

// absentAnswered is how many probes of absent keys the filter answered.
func (s filterSums) absentAnswered() int64 { return s.skips + s.falsePasses }

// whyUnasked says why a read finds no filter to ask.
func (t *table) whyUnasked(o readOptions) reason {
	switch {
	case o.flags&readIgnoresFilters != 0:
		return ignored
	case t.meta.FilterBits == 0:
		return noFilter
	case t.unusable.Load():
		return unusable
	}
	return notResident
}

// metrics is what is in memory of t's filter, and what it has counted since the table was made or the store opened.
func (t *table) metrics() FilterMetrics { return t.metricsOf(t.filter.sums()) }

// metricsOf is metrics of sums that were taken from t.
func (t *table) metricsOf(counted filterSums) FilterMetrics {
	m := FilterMetrics{
		Keys:              int64(t.meta.Keys),
		Checks:            counted.skips + counted.truePasses + counted.falsePasses,
		Skips:             counted.skips,
		TruePasses:        counted.truePasses,
		FalsePasses:       counted.falsePasses,
		BlockReadsSkipped: counted.skips,
		expectedFalse:     t.expected.upTo(counted.absentAnswered(), t.rate()),
		expectedKeys:      t.rate() * float64(t.meta.Keys),
	}
	if loaded := t.resident.Load(); loaded != nil {
		m.Bits = int64(loaded.Bits())
	}
	return m
}

// sinceLevelLocked is the part of counted, the sums of t, that it has counted at its present level. DB.mu is held.
func (t *table) sinceLevelLocked(counted filterSums) FilterMetrics {
	return t.metricsOf(counted).sub(t.base)
}

// moveLocked notes at which level t is now. If that is another than before, what it counted stays with the level it
// left. DB.mu is held.
func (db *DB) moveLocked(t *table, level int) {
	if t.level == level {
		return
	}
	now := t.metrics() // once: reads go on counting
	db.levelGone[t.level].addCounters(now.sub(t.base))
	t.base, t.level = now, level
}

// filterMetricsLocked adds up the tables of each level: those of the current version, by their numbers, with what they
// hold, the others with what they counted. Beside them are all probes that asked no filter. DB.mu is held.
func (db *DB) filterMetricsLocked(inVersion map[uint64]bool) (
	levels [manifest.NumLevels]FilterMetrics, unfiltered UnfilteredProbes,
) {
	levels, unfiltered = db.levelGone, db.unfilteredGone
	for number, t := range db.live {
		counted := t.filter.sums()
		unfiltered.add(counted.unfiltered)
		since := t.sinceLevelLocked(counted)
		levels[t.level].addCounters(since)
		if inVersion[number] {
			levels[t.level].Keys += since.Keys
			levels[t.level].Bits += since.Bits
			levels[t.level].expectedKeys += since.expectedKeys
		}
	}
	return levels, unfiltered
}
