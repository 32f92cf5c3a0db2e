package bench

import (
	"iter"
	"math"

	"siftdb/db"
)

// filterOf says what the filters of a store hold, from the metrics at the end of the lookups, and how they did in the
// absent ones, of the tables that were probed.
func filterOf(end db.Metrics, absent *tally, probed []probedTable) Filter {
	f := Filter{
		Bytes:         (end.Filter.Bits + 7) / 8,
		ResidentBytes: end.FilterBytes,
		BitsPerKey:    end.Filter.BitsPerKey(),
		Probes:        absent.phase.ReadsSkipped + absent.phase.FalsePasses,
		FalsePasses:   absent.phase.FalsePasses,
	}
	if f.Probes == 0 {
		return f
	}
	f.Expected = absent.expected / float64(f.Probes)
	f.Measured = float64(f.FalsePasses) / float64(f.Probes)
	f.MeasuredLow, f.MeasuredHigh = wilson(f.FalsePasses, f.Probes)
	accepted := acceptance(f.Probes, f.Expected, spreadOf(probed))
	f.AcceptedLow, f.AcceptedHigh = accepted.low, accepted.high
	f.OutsideTheory = !accepted.holds(f.FalsePasses)
	return f
}

// probedTable is a table with the probes of absent keys that its filter answered.
type probedTable struct {
	info   db.TableInfo
	probes int64
}

// probesSince gives the tables of now with the probes that they did not have before.
func probesSince(before map[string]int64, now iter.Seq[db.TableInfo]) []probedTable {
	var out []probedTable
	for t := range now {
		out = append(out, probedTable{info: t, probes: absentProbes(t) - before[t.File]})
	}
	return out
}

// probesByTable is how many probes of absent keys each table's filter has answered.
func probesByTable(tables iter.Seq[db.TableInfo]) map[string]int64 {
	out := map[string]int64{}
	for t := range tables {
		out[t.File] = absentProbes(t)
	}
	return out
}

func absentProbes(t db.TableInfo) int64 { return t.Filter.Skips + t.Filter.FalsePasses }

// spreadOf is the standard deviation of the rate over all probes that comes from how the keys of each table happen
// to fall into its filter. Tables are independent, so their variances add up, each weighed by its part of the probes.
func spreadOf(tables []probedTable) float64 {
	var all int64
	for _, t := range tables {
		all += t.probes
	}
	variance := 0.0
	for _, t := range tables {
		if t.probes == 0 {
			continue
		}
		part := float64(t.probes) / float64(all)
		sigma := t.info.Filter.Expected() * relativeSpread(t.info.FilterFamily, t.info.Filter.BitsPerKey(), t.info.Keys)
		variance += part * part * sigma * sigma
	}
	return math.Sqrt(variance)
}

// levelsOf says what each level holds and what its filters did.
func levelsOf(during db.Metrics) []Level {
	var out []Level
	for _, l := range during.Levels {
		if l.Tables == 0 {
			continue
		}
		out = append(out, Level{
			Level:       l.Level,
			Tables:      l.Tables,
			Bytes:       l.Bytes,
			Keys:        l.Filter.Keys,
			BitsPerKey:  l.Filter.BitsPerKey(),
			Checks:      l.Filter.Checks,
			Skips:       l.Filter.Skips,
			TruePasses:  l.Filter.TruePasses,
			FalsePasses: l.Filter.FalsePasses,
			Expected:    l.Filter.Expected(),
		})
	}
	return out
}
