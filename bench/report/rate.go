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
		about: "Of the probes of absent keys, how many the filters let pass. Dots are measured, with 95 % intervals; the dashed line is theory.",
		x:     bitsAxis(bitsOf(nil, groups)),
	}
	for i := range groups {
		g := &groups[i]
		expected := series{name: g.partName("theory", groups), ink: inkQuiet, line: dashedLine}
		seen := series{name: g.partName("measured", groups), ink: g.ink, glyph: g.glyph}
		if len(groups) > 1 {
			expected.ink = g.ink
		}
		for _, row := range g.rows {
			f := &row.Filter
			if f.Probes == 0 {
				continue
			}
			expected.points = append(expected.points, point{x: float64(row.Bits), y: f.Expected, at: atBits(row.Bits), value: theory(f)})
			seen.points = append(seen.points, ratePoint(row, len(groups) == 1))
		}
		c.series = append(c.series, expected, seen)
	}
	c.y = logAxis("probes of absent keys that pass", ysOf(c.series), func(v float64) string { return plain(v*100) + " %" })
	c.values = valuesOf("bits per key", c.series)
	return c
}

// ratePoint is the measured rate of a row.
func ratePoint(row *bench.Row, labelled bool) point {
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
	if labelled && !p.bound {
		p.label = plain(f.Measured*100) + " %"
	}
	return p
}
