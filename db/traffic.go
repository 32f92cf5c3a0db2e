package db

import (
	"bytes"
	"maps"
	"slices"
)

// traffic is what a table was asked lately that it did not hold. A key that is in a table costs its read whatever
// the filter says, so hits do not count.
type traffic struct {
	seen   int64   // the table's absent probes at the last look
	recent float64 // misses, aged
}

// What is measured is added to what ByLevel expects. The expectation is worth some misses a table, so that a store that
// has just been opened starts there and does not follow its first few look-ups, and a part of what was measured, so
// that a table that nobody asks keeps a little.
const (
	expectedMisses = 10
	expectedPart   = 0.01
)

// lookAtTraffic adds what was asked since the last look, and says whether there was anything.
func (k *keeper) lookAtTraffic() (any bool) {
	for t, absent := range k.absentProbes() {
		k.mu.Lock()
		if r := k.traffic[t]; r != nil || !t.retired.Load() { // the heirs of a retired table have its traffic
			r = k.trafficOf(t)
			r.recent += float64(absent - r.seen)
			any = any || absent > r.seen
			r.seen = absent
		}
		k.mu.Unlock()
	}
	return any
}

// absentProbes are the absent probes of each table so far.
func (k *keeper) absentProbes() map[*table]int64 {
	k.db.mu.Lock()
	tables := slices.Collect(maps.Values(k.db.live))
	k.db.mu.Unlock()
	probes := make(map[*table]int64, len(tables))
	for _, t := range tables {
		counted := t.filter.sums()
		probes[t] = counted.absentAnswered() + counted.unfilteredAbsent
	}
	return probes
}

// trafficOf is t's entry. k.mu is held.
func (k *keeper) trafficOf(t *table) *traffic {
	r := k.traffic[t]
	if r == nil {
		r = &traffic{}
		k.traffic[t] = r
	}
	return r
}

// recentOf is what t's entry has, without making one. k.mu is held.
func (k *keeper) recentOf(t *table) float64 {
	if r := k.traffic[t]; r != nil {
		return r.recent
	}
	return 0
}

// age halves what is remembered. It is called at each flush, so that traffic counts for about as long as a memtable
// lives.
func (k *keeper) age() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.idle = 0
	for _, r := range k.traffic {
		r.recent /= 2
	}
}

// ticksToAge is after how many ticks without a flush traffic is aged all the same.
const ticksToAge = 60

// ageIfIdle counts the ticks without a flush.
func (k *keeper) ageIfIdle() {
	k.mu.Lock()
	k.idle++
	idle := k.idle
	k.mu.Unlock()
	if idle == ticksToAge {
		k.age()
	}
}

// inherit gives the tables that a step from the view before brings, of one level and ascending, the traffic that is to
// be expected, and forgets that of those it takes. A look-up of an absent key asks one table of each sorted run. So
// what a compaction makes will be asked as the busiest of the runs was that it merges, and what a flush makes as the
// busiest of all that there are.
func (k *keeper) inherit(before *view, gone, come []*table) {
	k.mu.Lock()
	defer k.mu.Unlock()
	busiest := make([]float64, len(come))
	// Deep runs have narrow tables, which know more.
	for _, run := range slices.Backward(slices.Collect(before.runs())) {
		misses := make([]float64, len(come))
		for _, old := range run {
			if len(gone) == 0 || old.retired.Load() {
				first, end := overlapping(come, old)
				spread(k.recentOf(old), come[first:end], busiest[first:end], misses[first:end])
			}
		}
		for i, n := range misses {
			busiest[i] = max(busiest[i], n)
		}
	}
	for _, old := range gone {
		delete(k.traffic, old)
	}
	for i, t := range come {
		k.trafficOf(t).recent += busiest[i]
	}
}

// overlapping is which of tables, disjoint and ascending, share a key's place with t.
func overlapping(tables []*table, t *table) (first, end int) {
	first, _ = slices.BinarySearchFunc(tables, t.meta.Smallest.User, func(t *table, user []byte) int {
		return bytes.Compare(t.meta.Largest.User, user)
	})
	for end = first; end < len(tables) && bytes.Compare(tables[end].meta.Smallest.User, t.meta.Largest.User) <= 0; {
		end++
	}
	return first, end
}

// spread adds n misses of a table that is to go to those of its heirs, as those known of them before are, or
// by their keys.
func spread(n float64, heirs []*table, known, misses []float64) {
	sum, keys := 0.0, 0.0
	for i, t := range heirs {
		sum += known[i]
		keys += float64(t.meta.Keys)
	}
	for i, t := range heirs {
		if sum > 0 {
			misses[i] += n * known[i] / sum
		} else {
			misses[i] += n * float64(t.meta.Keys) / keys
		}
	}
}

// blend adds the misses that were measured to those that shares expect.
func (k *keeper) blend(shares []share) {
	k.mu.Lock()
	defer k.mu.Unlock()
	measured, expected := 0.0, 0.0
	for _, s := range shares {
		measured += k.recentOf(s.table)
		expected += s.misses
	}
	if expected == 0 {
		return
	}
	part := (expectedPart*measured + expectedMisses*float64(len(shares))) / expected
	for i := range shares {
		shares[i].misses = k.recentOf(shares[i].table) + part*shares[i].misses
	}
}
