package bench

import (
	"context"
	"math"
	"time"

	"siftdb/bloom"
)

// mixture is traffic in which absent and present keys take turns, so that the store sees both at once; what they cost
// is told apart all the same.
type mixture struct {
	absent, present kind
	hits            float64 // share of present keys
	done            [2]int  // lookups so far, absent and present
}

// turnLookups is how many lookups two turns have together, one of each kind.
const turnLookups = 1000

// run looks up n keys, and adds what they cost to the tallies, absent and present.
func (x *mixture) run(ctx context.Context, m *meter, n int, tallies [2]*tally) error {
	m.told = 0
	for looked := 0; looked < n; {
		turn := min(turnLookups, n-looked)
		present := int(math.Round(float64(turn) * x.hits))
		for i, k := range [2]kind{x.absent, x.present} {
			share := [2]int{turn - present, present}[i]
			if share == 0 || k.most == 0 {
				continue
			}
			if _, err := m.measure(ctx, k, x.done[i], share, tallies[i]); err != nil {
				return err
			}
			x.done[i] += share
			m.told += share
		}
		looked += turn
	}
	return nil
}

// A store that shares memory by traffic looks at it once a second.
const (
	settleTime   = 1500 * time.Millisecond // in which it has looked for certain
	settleRounds = 20
)

// warmUp looks up n keys before anything is measured, for a store that shares memory by its traffic. Under that plan it
// goes on until nothing moves any more.
func (x *mixture) warmUp(ctx context.Context, m *meter, n int, plan bloom.Plan) error {
	if n == 0 {
		return nil
	}
	nobody := [2]*tally{newTally(), newTally()}
	m.progress.Begin(m.row+"warm-up", n)
	err := x.run(ctx, m, n, nobody)
	m.progress.End()
	untold := *m
	untold.progress = silent{}
	for round := 0; plan == bloom.Adaptive && err == nil && round < settleRounds; round++ {
		before := m.store.Metrics()
		for start := time.Now(); err == nil && time.Since(start) < settleTime; {
			err = x.run(ctx, &untold, turnLookups, nobody)
		}
		if err == nil {
			err = m.store.WaitQuiet(ctx)
		}
		if moved := m.store.Metrics().Sub(before); moved.FilterLoads == 0 && moved.FilterDrops == 0 {
			break
		}
	}
	return err
}
