package bench

import (
	"context"
	"slices"
	"time"

	"siftdb/db"
)

// sides of a comparison.
const (
	sideOn = iota
	sideOff
)

// compare looks keys of k up with filters on and with filters off, on the same files, in turns: on and off, off and
// on, and so forth, so that whatever drifts meets both alike. Both look up the same keys.
func (m *meter) compare(ctx context.Context, k kind, rounds, perRound int) (OnOff, error) {
	tallies := [2]*tally{newTally(), newTally()}
	options := [2][]db.ReadOption{sideOff: {db.IgnoreFilters}}
	var speedups []float64
	m.progress.Begin(m.row+k.name+" keys, filters on and off", rounds*perRound)
	defer m.progress.End()
	for round := range rounds {
		order := [2]int{sideOn, sideOff}
		if round%2 == 1 {
			slices.Reverse(order[:])
		}
		var spent [2]time.Duration
		for _, side := range order {
			var err error
			m.told = round * perRound
			spent[side], err = m.measure(ctx, k, round*perRound, perRound, tallies[side], options[side]...)
			if err != nil {
				return OnOff{}, err
			}
		}
		if spent[sideOn] > 0 {
			speedups = append(speedups, spent[sideOff].Seconds()/spent[sideOn].Seconds())
		}
	}
	return onOff(tallies, speedups), nil
}

func onOff(tallies [2]*tally, speedups []float64) OnOff {
	r := OnOff{On: tallies[sideOn].result(), Off: tallies[sideOff].result(), SpeedRatio: median(speedups)}
	if r.On.DiskReads > 0 {
		ratio := float64(r.Off.DiskReads) / float64(r.On.DiskReads)
		r.ReadsRatio = &ratio
	}
	if len(speedups) > 0 {
		r.SpeedLow, r.SpeedHigh = slices.Min(speedups), slices.Max(speedups)
	}
	return r
}
