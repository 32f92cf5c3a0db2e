package compaction

import (
	"slices"

	"siftdb/internal/manifest"
)

// leveled makes a plan for a level that is due: of the table that overlaps the fewest bytes below for its size. On
// keys all over the range that writes as little as taking the tables in turn (within 2 % in the simulator), on
// skewed keys less, and it needs no memory of where the last turn ended.
func (k *picker) leveled(level int) (Plan, bool) {
	if level == 0 {
		return k.levelZero()
	}
	v := k.state.Version
	reason := "level over its target"
	if k.shape.Levels[level].Target == 0 {
		reason = "level should be empty"
	}
	var best Plan
	found, bestRatio := false, 0.0
	for _, o := range overlaps(v.Levels[level], v.Levels[level+1]) {
		ratio := float64(o.bytes) / float64(max(1, o.table.Size))
		if found && ratio >= bestRatio {
			continue
		}
		if p, ok := k.plan(level, level+1, []*manifest.Table{o.table}, o.lower, reason); ok {
			best, bestRatio, found = p, ratio, true
		}
	}
	return best, found
}

// levelZero merges level 0 into the base.
func (k *picker) levelZero() (Plan, bool) {
	upper, lower := k.oldestOfLevel0(k.shape.Base)
	return k.plan(0, k.shape.Base, upper, lower, "level 0 has many tables")
}

// oldestOfLevel0 chooses the oldest table of level 0 that is free and all that share keys with it, and gives what they
// meet in the base. Where those are small, others come along if they bring no more of the base with them, so that
// small flushes of disjoint keys do not become as many small tables.
func (k *picker) oldestOfLevel0(base int) (upper, lower []*manifest.Table) {
	v := k.state.Version
	level0 := v.Levels[0]
	for i := len(level0) - 1; i >= 0 && bytesOf(upper) < k.options.TableSize; i-- {
		if slices.Contains(upper, level0[i]) {
			continue
		}
		grown := closure(level0, append(upper, level0[i]))
		more := below(v, base, grown)
		if anyBusy(k.busy, grown) || len(upper) > 0 && len(more) > len(lower) {
			continue
		}
		upper, lower = grown, more
	}
	return upper, lower
}
