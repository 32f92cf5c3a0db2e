package compaction

import "siftdb/internal/manifest"

// Pick returns the next compaction that is due and can run beside those that run already, or false when there is
// none. The same state gives the same plan.
func Pick(s State, o Options) (Plan, bool) {
	k := newPicker(s, o)
	due := k.shape.due()
	for _, level := range due {
		p, ok := k.step(level)
		if ok {
			p.Score = k.shape.Levels[level].Score
			return p, true
		}
		if level == 0 && k.options.Style == LazyLeveled {
			break // it needs tables that others would take, too: it must not wait for all of them
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

// step makes a plan for a level that is due.
func (k *picker) step(level int) (Plan, bool) {
	if k.options.Style == LazyLeveled {
		return k.lazy(level)
	}
	return k.leveled(level)
}

// plan makes a plan of tables of one level and those of the output level below it that share keys with them, or of
// tables that stay in their level.
func (k *picker) plan(level, output int, upper, lower []*manifest.Table, reason string) (Plan, bool) {
	var inputs [manifest.NumLevels][]*manifest.Table
	inputs[output] = lower
	inputs[level] = upper
	return k.planOf(level, output, inputs, reason)
}

// planOf puts inputs together, unless they collide with what runs.
func (k *picker) planOf(level, output int, inputs [manifest.NumLevels][]*manifest.Table, reason string) (Plan, bool) {
	if len(inputs[level]) == 0 {
		return Plan{}, false
	}
	for _, tables := range inputs {
		if anyBusy(k.busy, tables) {
			return Plan{}, false
		}
	}
	p := newPlan(k.state.Version, k.options, level, output, inputs)
	p.Reason = reason
	if k.state.collides(p) {
		return Plan{}, false
	}
	return p, true
}
