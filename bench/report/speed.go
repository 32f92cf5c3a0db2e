package report

import (
	"github.com/dustin/go-humanize"
	"gonum.org/v1/plot/vg/draw"

	"siftdb/bench"
)

// speedChart is how many times as many lookups a second there are with filters on as with filters off.
func speedChart(r *bench.Result) chart {
	_, groups := groupsOf(r)
	c := chart{
		name:  "speed",
		title: "Lookups a second, on over off",
		about: "Filters on and off took turns on the same files. Dots are medians of the rounds, bars reach from the " +
			"least to the greatest.",
		x: bitsAxis(bitsOf(nil, groups)),
	}
	for i := range groups {
		g := &groups[i]
		absent := series{
			name: g.partName("absent keys", groups), ink: g.ink, line: solidLine, glyph: draw.CircleGlyph{},
		}
		present := series{
			name: g.partName("present keys", groups), ink: g.ink, line: dashedLine, glyph: draw.PyramidGlyph{},
		}
		if len(groups) == 1 {
			present.ink = inkGreen
		}
		for _, row := range g.rows {
			if row.Compared == nil {
				continue
			}
			absent.points = append(absent.points, speedPoint(row.Bits, &row.Compared.Absent))
			present.points = append(present.points, speedPoint(row.Bits, &row.Compared.Present))
		}
		c.series = append(c.series, absent, present)
	}
	c.y = logAxis("times as many", ysOf(c.series), func(v float64) string { return plain(v) + " ×" })
	c.values = valuesOf("bits per key", c.series)
	return c
}

func speedPoint(bits bench.Bits, o *bench.OnOff) point {
	return point{
		x: float64(bits), y: o.SpeedRatio, from: o.SpeedLow, to: o.SpeedHigh,
		at: atBits(bits), value: factor(o.SpeedRatio) + " ×",
		more: []string{
			"rounds: " + factor(o.SpeedLow) + " to " + factor(o.SpeedHigh),
			perSecond(&o.On.Latency) + " a second on, " + perSecond(&o.Off.Latency) + " off",
			humanize.Comma(o.On.Lookups) + " lookups each",
		},
	}
}
