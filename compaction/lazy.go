package compaction

import "siftdb/internal/manifest"

// lazy makes a plan for a level that is due, where levels above the last are runs.
func (k *picker) lazy(level int) (Plan, bool) {
	if level == 0 {
		return k.gather()
	}
	return k.drain()
}

// gather makes a run of tables of level 0. There is room for it above the first run or, when that is in level 1, in the
// place of the first runs, which are merged with it: as many of them as are no larger than all that goes before them,
// so that each merge makes a run of another size class, and an entry is written once for each class.
func (k *picker) gather() (Plan, bool) {
	upper, lower := k.oldestOfLevel0(k.shape.Base)
	return k.gathered(upper, lower, "level 0 has many tables")
}

// gathered takes tables of level 0, which meet lower ones in the base, to where they can go.
func (k *picker) gathered(upper, lower []*manifest.Table, reason string) (Plan, bool) {
	v, base := k.state.Version, k.shape.Base
	if len(upper) == 0 {
		return Plan{}, false
	}
	var inputs [manifest.NumLevels][]*manifest.Table
	inputs[0], inputs[base] = upper, lower
	if len(lower) == 0 {
		return k.planOf(0, sink(v, base, upper), inputs, reason)
	}
	if base == lastLevel {
		return k.planOf(0, base, inputs, reason)
	}
	s := cover(upper, lower)
	output, size := base, v.Bytes(0)+v.Bytes(base)
	for output+1 < lastLevel && v.Bytes(output+1) <= size {
		output++
		inputs[output] = v.Overlaps(output, s.smallest, s.largest)
		s = cover(inputs[:]...)
		size += v.Bytes(output)
	}
	return k.planOf(0, output, inputs, reason)
}

// sink is the deepest level, from base on, that tables can go to without meeting others.
func sink(v *manifest.Version, base int, tables []*manifest.Table) int {
	for base < lastLevel && len(below(v, base+1, tables)) == 0 {
		base++
	}
	return base
}

// drain makes a plan for a part of the runs: a table and all below it that share keys with it, down to the last level.
// It is the part that brings most for the bytes of the last level that have to be written again.
func (k *picker) drain() (Plan, bool) {
	var best Plan
	found, bestRatio := false, 0.0
	for level := 1; level < lastLevel; level++ {
		for _, t := range k.state.Version.Levels[level] {
			inputs := k.slice(level, t)
			last := bytesOf(inputs[lastLevel])
			ratio := float64(last) / float64(max(1, sizeOf(inputs)-last))
			if found && ratio >= bestRatio {
				continue
			}
			if p, ok := k.planOf(level, lastLevel, inputs, "runs over their target"); ok {
				best, bestRatio, found = p, ratio, true
			}
		}
	}
	return best, found
}

// slice is a table and what shares keys with it, or with what is met on the way, in each level below.
func (k *picker) slice(level int, t *manifest.Table) (inputs [manifest.NumLevels][]*manifest.Table) {
	inputs[level] = []*manifest.Table{t}
	s := span{t.Smallest.User, t.Largest.User}
	for level++; level <= lastLevel; level++ {
		met := k.state.Version.Overlaps(level, s.smallest, s.largest)
		inputs[level] = met
		if len(met) > 0 { // they ascend
			s = s.with(met[0]).with(met[len(met)-1])
		}
	}
	return inputs
}
