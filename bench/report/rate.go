package report

import (
	"fmt"

	"github.com/dustin/go-humanize"

	"siftdb/bench"
)

// rateChart is the rate of false positives by bits per key: what theory says, and what was measured.
func rateChart(r *bench.Result) chart {
	_, groups := groupsOf(r)
	c := chart{
		name:  "rate",
		title: "False positives by bits per key",
		about: "Of the probes of absent keys, how many the filters let pass. Dots are measured, with 95 % intervals; " +
			"the dashed line is theory.",
		x: bitsAxis(bitsOf(nil, groups)),
	}
	for i := range groups {
		g := &groups[i]
		seen := series{name: g.name, ink: g.ink, glyph: g.glyph}
		for _, row := range g.rows {
			f := &row.Filter
			if f.Probes == 0 {
				continue
			}
			seen.theory = append(seen.theory, point{
				x: float64(row.Bits), y: f.Expected, at: atBits(row.Bits), value: theory(f),
			})
			seen.points = append(seen.points, ratePoint(row))
		}
		c.series = append(c.series, seen)
	}
	if len(c.series) == 1 {
		c.series = apart(&c.series[0])
	}
	c.y = logAxis("probes of absent keys that pass", ysOf(c.series),
		func(v float64) string { return plain(v*100) + " %" })
	c.values = valuesOf("bits per key", c.series)
	return c
}

// apart is the one series of a chart as two, each with a name of its own, and labels, for which there is room.
func apart(one *series) []series {
	expected := series{name: "theory", ink: inkQuiet, line: dashedLine, points: one.theory}
	seen := series{name: "measured", ink: one.ink, glyph: one.glyph, points: one.points}
	for i := range seen.points {
		if p := &seen.points[i]; !p.bound {
			p.label = plain(p.y*100) + " %"
		}
	}
	return []series{expected, seen}
}

// ratePoint is the measured rate of a row.
func ratePoint(row *bench.Row) point {
	f := &row.Filter
	p := point{
		x: float64(row.Bits), y: f.Measured, from: f.MeasuredLow, to: f.MeasuredHigh,
		at: atBits(row.Bits), value: measured(f),
		more: []string{
			fmt.Sprintf("%s of %s probes", humanize.Comma(f.FalsePasses), humanize.Comma(f.Probes)),
			"theory " + theory(f),
			fmt.Sprintf("true bits per key %.2f", f.BitsPerKey),
		},
	}
	if f.FalsePasses == 0 {
		p.bound, p.y, p.from = true, f.MeasuredHigh, f.MeasuredHigh
	}
	return p
}
