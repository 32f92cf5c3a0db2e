package db

import (
	"siftdb/internal/manifest"
)

// traffic is what a table was asked lately that it did not hold. A key that is in a table costs its read whatever
// the filter says, so hits do not count.
type traffic struct {
	seen   int64   // the table's absent probes at the last look
	recent float64 // misses, aged
}

// expectedPart is how much of all misses is shared out as ByLevel does, whatever was measured: a table that nobody
// has asked yet keeps a little, and a store that has just been opened starts there.
const expectedPart = 0.01

// lookAtTraffic adds what was asked since the last look, and says whether there was anything.
func (k *keeper) lookAtTraffic() (any bool) {
	if k.stale() {
		k.age()
	}
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

// looksToAge is after how many looks without a flush traffic is aged all the same.
const looksToAge = 60

// stale counts the looks since traffic was aged.
func (k *keeper) stale() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.looks++
	return k.looks > looksToAge
}

// absentProbes are the absent probes of each table so far.
func (k *keeper) absentProbes() map[*table]int64 {
	k.db.mu.Lock()
	defer k.db.mu.Unlock()
	probes := make(map[*table]int64, len(k.db.live))
	for _, t := range k.db.live {
		probes[t] = t.filter.absent() + t.filter.unfilteredAbsent.Load()
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
// lives, and at times where nothing is flushed.
func (k *keeper) age() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.looks = 0
	for _, r := range k.traffic {
		r.recent /= 2
	}
}

// inherit gives the tables that a step of the store brings the traffic of those it takes, by the keys they share: of
// each table that goes, a part to each that comes and overlaps it, in proportion to its keys.
func (k *keeper) inherit(gone, come []*table) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, old := range gone {
		r := k.traffic[old]
		if r == nil {
			continue
		}
		delete(k.traffic, old)
		var heirs []*table
		keys := 0.0
		for _, t := range come {
			if overlap(old.meta, t.meta) {
				heirs = append(heirs, t)
				keys += float64(t.meta.Keys)
			}
		}
		for _, t := range heirs {
			k.trafficOf(t).recent += r.recent * float64(t.meta.Keys) / keys
		}
	}
}

func overlap(a, b *manifest.Table) bool { return a.Overlaps(b.Smallest.User, b.Largest.User) }

// blend replaces the expected misses of shares by the measured ones, but for expectedPart of them.
func (k *keeper) blend(shares []share) {
	k.lookAtTraffic()
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
	// One miss is added, so that all of it is the expectation where nothing was measured.
	part := (expectedPart*measured + 1) / expected
	for i := range shares {
		shares[i].misses = k.recentOf(shares[i].table) + part*shares[i].misses
	}
}
