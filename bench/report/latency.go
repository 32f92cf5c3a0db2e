package report

import (
	"time"

	"github.com/dustin/go-humanize"
	"gonum.org/v1/plot/vg/draw"

	"siftdb/bench"
)

// absentLatencyChart is how long lookups of absent keys take, with filters on and off.
func absentLatencyChart(r *bench.Result) chart {
	return latencyChart(r, "absent", func(c *bench.Comparison) *bench.OnOff { return &c.Absent })
}

// presentLatencyChart is how long lookups of present keys take, with filters on and off.
func presentLatencyChart(r *bench.Result) chart {
	return latencyChart(r, "present", func(c *bench.Comparison) *bench.OnOff { return &c.Present })
}

// latencyChart shows the comparison on the same files, in which on and off took turns.
func latencyChart(r *bench.Result, keys string, of func(*bench.Comparison) *bench.OnOff) chart {
	_, groups := groupsOf(r)
	c := chart{
		name:  "latency-" + keys,
		title: "Time of a lookup, " + keys + " keys",
		about: "Half of the lookups are faster than p50, all but one in a hundred faster than p99. Filters on and " +
			"off took turns on the same files.",
		x: bitsAxis(bitsOf(nil, groups)),
	}
	on := func(c *bench.Comparison) *bench.Phase { return &of(c).On }
	off := func(c *bench.Comparison) *bench.Phase { return &of(c).Off }
	for i := range groups {
		g := &groups[i]
		c.series = append(c.series,
			latencySeries(series{
				name: g.partName("on, p50", groups), ink: g.ink, line: solidLine, glyph: draw.CircleGlyph{},
			}, g, on, p50),
			latencySeries(series{
				name: g.partName("on, p99", groups), ink: g.ink, line: dashedLine, glyph: draw.PyramidGlyph{},
			}, g, on, p99))
	}
	if len(groups) > 0 { // with filters ignored, the files of all groups are alike
		c.series = append(c.series,
			latencySeries(series{
				name: "off, p50", ink: inkWaste, line: solidLine, glyph: draw.BoxGlyph{},
			}, &groups[0], off, p50),
			latencySeries(series{
				name: "off, p99", ink: inkWaste, line: dashedLine, glyph: diamondGlyph{},
			}, &groups[0], off, p99))
	}
	c.y = logAxis("time of a lookup", ysOf(c.series), func(v float64) string { return plainDuration(time.Duration(v)) })
	c.values = valuesOf("bits per key", c.series)
	return c
}

// latencySeries is s with a point for each row of g.
func latencySeries(
	s series, g *group, of func(*bench.Comparison) *bench.Phase, quantile func(*bench.Latency) time.Duration,
) series {
	for _, row := range g.rows {
		if row.Compared != nil {
			p := of(row.Compared)
			s.points = append(s.points, latencyPoint(row.Bits, p, quantile(&p.Latency)))
		}
	}
	return s
}

func p50(l *bench.Latency) time.Duration { return l.P50 }
func p99(l *bench.Latency) time.Duration { return l.P99 }

// leastTime stands for times that the clock showed as nothing.
const leastTime = time.Nanosecond

func latencyPoint(bits bench.Bits, p *bench.Phase, took time.Duration) point {
	return point{
		x: float64(bits), y: float64(max(took, leastTime)), at: atBits(bits), value: duration(took),
		more: []string{
			humanize.Comma(p.Lookups) + " lookups, " + perSecond(&p.Latency) + " a second",
			perLookupText(p) + " disk reads each",
		},
	}
}
