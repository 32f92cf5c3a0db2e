package compaction

import "siftdb/internal/manifest"

// Manual returns the next step of compacting a range of user keys by hand, lower and upper included, nil meaning
// no bound. It takes tables of one level, from lower on, to the next level; in the last level it rewrites them, all
// but those that state.Fresh excepts, so that what was kept for views that are closed now goes. It returns false
// when the level has nothing to do in the range. No other plan may be running. A whole manual compaction is
//
//	for level := range manifest.NumLevels {
//		for from := lower; ; {
//			plan, ok := compaction.Manual(state, options, level, from, upper)
//			if !ok {
//				break
//			}
//			... // carry it out, bring state up to date
//			from = plan.After()
//		}
//	}
//
// Each plan is bounded in size, but that of level 0, which takes all its tables that share keys at once.
func Manual(s State, o Options, level int, lower, upper []byte) (Plan, bool) {
	k := newPicker(s, o)
	tables := s.Version.Overlaps(level, lower, upper)
	switch {
	case len(tables) == 0:
		return Plan{}, false
	case level == 0:
		tables = closure(s.Version.Levels[0], tables)
		return k.plan(0, k.shape.Base, tables, below(s.Version, k.shape.Base, tables), reasonManual)
	case level == lastLevel:
		return k.renew(tables)
	}
	return k.lower(level, tables)
}

const reasonManual = "manual"

// lower takes tables of a level one level down: the first, and as many after it as make a plan of bounded size.
func (k *picker) lower(level int, tables []*manifest.Table) (Plan, bool) {
	v := k.state.Version
	n, size := 0, int64(0)
	var met []*manifest.Table
	for n < len(tables) {
		more := below(v, level+1, tables[:n+1]) // met, and perhaps more after it
		size += tables[n].Size + bytesOf(more[len(met):])
		if n > 0 && size > k.options.MaxOverlap() {
			break
		}
		met = more
		n++
	}
	return k.plan(level, level+1, tables[:n:n], met, reasonManual)
}

// renew rewrites the first run of tables of the last level that are not fresh.
func (k *picker) renew(tables []*manifest.Table) (Plan, bool) {
	fresh := func(t *manifest.Table) bool { return k.state.Fresh != 0 && t.Number >= k.state.Fresh }
	for len(tables) > 0 && fresh(tables[0]) {
		tables = tables[1:]
	}
	n, size := 0, int64(0)
	for n < len(tables) && !fresh(tables[n]) {
		size += tables[n].Size
		if n > 0 && size > k.options.MaxOverlap() {
			break
		}
		n++
	}
	return k.plan(lastLevel, lastLevel, tables[:n:n], nil, reasonManual)
}
