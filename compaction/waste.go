package compaction

import "siftdb/internal/manifest"

// waste makes a plan for the table with the largest share of entries that only take room, if that is worth while.
//
// Above the last level those are deletions, from more than half of the table on: each scan over them steps over
// them all, until a compaction has brought them together with what they delete. In the last level they are also the
// versions that were kept for a view; from more than a quarter on the table is rewritten in place.
func (k *picker) waste() (Plan, bool) {
	var best Plan
	found, most := false, 0.0
	for level, t := range k.state.Version.All() {
		share := k.wasted(level, t)
		if share <= most || k.busy[t.Number] {
			continue
		}
		if p, ok := k.pushDown(level, t); ok {
			best, most, found = p, share, true
		}
	}
	return best, found
}

// wasted is the share of a table's entries that only take room, or 0 where it is too small to do anything about.
func (k *picker) wasted(level int, t *manifest.Table) float64 {
	entries := float64(max(1, t.Entries))
	if level < lastLevel {
		return above(float64(t.Deletions)/entries, 1./2)
	}
	// A view that is older than some of the table may still need what looks like waste; the result of a rewrite
	// could be the same table again, and again.
	if t.LargestSeq > k.state.OldestSnapshot {
		return 0
	}
	return above(float64(t.Entries-t.Keys+t.Deletions)/entries, 1./4)
}

const reasonDeletions = "mostly deletions"

// above is share where that is more than least, else 0.
func above(share, least float64) float64 {
	if share > least {
		return share
	}
	return 0
}

// pushDown makes a plan for one table: down to what it will be merged with, or in place in the last level.
func (k *picker) pushDown(level int, t *manifest.Table) (Plan, bool) {
	v := k.state.Version
	upper := []*manifest.Table{t}
	lazy := k.options.Style == LazyLeveled
	switch {
	case level == 0:
		upper = closure(v.Levels[0], upper)
		lower := below(v, k.shape.Base, upper)
		if lazy {
			return k.gathered(upper, lower, reasonDeletions)
		}
		return k.plan(0, k.shape.Base, upper, lower, reasonDeletions)
	case level == lastLevel:
		return k.plan(level, level, upper, nil, "versions that no view needs")
	case lazy:
		return k.planOf(level, lastLevel, k.slice(level, t), reasonDeletions)
	}
	return k.plan(level, level+1, upper, below(v, level+1, upper), reasonDeletions)
}
