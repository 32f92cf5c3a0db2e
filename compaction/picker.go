package compaction

import "siftdb/internal/manifest"

// Pick returns the next compaction that is due and can run beside those that run already, or false when there is
// none. The same state gives the same plan.
func Pick(s State, o Options) (Plan, bool) {
	k := newPicker(s, o)
	due := k.shape.due()
	for _, level := range due {
		p, ok := k.leveled(level)
		if ok {
			p.Score = k.shape.Levels[level].Score
			return p, true
		}
	}
	if len(due) > 0 {
		return Plan{}, false // what is due waits for what runs
	}
	return k.waste()
}

// picker is one call of Pick, Manual or Rewrite.
type picker struct {
	state   State
	options Options
	shape   Shape
	busy    map[uint64]bool
}

func newPicker(s State, o Options) *picker {
	o = o.withDefaults()
	return &picker{state: s, options: o, shape: Scores(s, o), busy: s.busy()}
}

// plan puts inputs together, unless they collide with what runs.
func (k *picker) plan(level, output int, upper, lower []*manifest.Table, reason string) (Plan, bool) {
	if len(upper) == 0 || anyBusy(k.busy, upper) || anyBusy(k.busy, lower) {
		return Plan{}, false
	}
	p := newPlan(k.state.Version, k.options, level, output, upper, lower)
	p.Reason = reason
	if k.state.collides(p) {
		return Plan{}, false
	}
	return p, true
}
