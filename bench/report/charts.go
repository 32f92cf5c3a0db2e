package report

import (
	"slices"
	"strings"
	"time"

	"siftdb/bench"
)

// chartsOf makes the pictures of r, in the order in which they are to be looked at. Those that r has nothing for are
// left out.
func chartsOf(r *bench.Result) []chart {
	var drawn []chart
	for _, of := range []func(*bench.Result) chart{
		readsChart, rateChart, absentLatencyChart, presentLatencyChart, speedChart, savedChart,
		levelsChart, buildChart, liveChart,
	} {
		if c := of(r); c.drawn() {
			c.source = sourceOf(r)
			drawn = append(drawn, c)
		}
	}
	return drawn
}

// sourceOf says in short where r comes from, for pictures that are looked at without their page.
func sourceOf(r *bench.Result) string {
	parts := []string{"siftdb " + r.Header.Version, r.Header.CPU, r.Header.Date.Format(time.DateOnly)}
	if len(r.Header.CommandLine) > 0 {
		parts = slices.Insert(parts, 0, strings.Join(r.Header.CommandLine, " "))
	}
	return strings.Join(parts, ", ")
}

// ysOf are the values of all points, ends of intervals included.
func ysOf(all []series) []float64 {
	var ys []float64
	for i := range all {
		for _, p := range all[i].points {
			ys = append(ys, p.y)
			if p.from < p.to {
				ys = append(ys, p.from, p.to)
			}
		}
	}
	return ys
}
