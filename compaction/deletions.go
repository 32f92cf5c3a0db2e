package compaction

import "siftdb/internal/manifest"

// deletions makes a plan for the table that has the largest share of deletions, if that is more than half of its
// entries: one level down, or, in the last level, in place. Deletions take part in every scan over them until they
// have met what they delete, and only a compaction brings the two together.
func (k *picker) deletions() (Plan, bool) {
	var best Plan
	found, most := false, 0.5
	for level, t := range k.state.Version.All() {
		share := float64(t.Deletions) / float64(max(1, t.Entries))
		if share <= most || k.busy[t.Number] {
			continue
		}
		if p, ok := k.pushDown(level, t); ok {
			best, most, found = p, share, true
		}
	}
	return best, found
}

// pushDown makes a plan for one table.
func (k *picker) pushDown(level int, t *manifest.Table) (Plan, bool) {
	const reason = "mostly deletions"
	v := k.state.Version
	upper := []*manifest.Table{t}
	switch level {
	case 0:
		upper = closure(v.Levels[0], upper)
		return k.plan(0, k.shape.Base, upper, below(v, k.shape.Base, upper), reason)
	case lastLevel:
		// A deletion is in the last level only because a view needed it or what it hides. While one of them may
		// still be needed, the result could be the same table again.
		if t.LargestSeq > k.state.OldestSnapshot {
			return Plan{}, false
		}
		return k.plan(level, level, upper, nil, reason)
	}
	return k.plan(level, level+1, upper, below(v, level+1, upper), reason)
}
