package report

import (
	"fmt"

	"github.com/dustin/go-humanize"
	"gonum.org/v1/plot/vg/draw"

	"siftdb/bench"
)

// mostLabelledLines is how many lines of a picture have their values written beside them.
const mostLabelledLines = 3

// readsChart is disk reads per absent lookup by bits per key, with filters on and off.
func readsChart(r *bench.Result) chart {
	off, groups := groupsOf(r)
	c := chart{
		name:  "reads-per-miss",
		title: "Disk reads per lookup of an absent key",
		about: "What a lookup that finds nothing costs, with filters and without, on the same files. The scale goes " +
			"by powers of ten.",
		x: bitsAxis(bitsOf(off, groups)),
	}
	without := series{name: "filters off", ink: inkWaste, line: solidLine, glyph: draw.BoxGlyph{}}
	if off != nil {
		p := readsPoint(off.Bits, &off.Absent)
		p.label = p.value
		without.points = append(without.points, p)
	}
	for i := range groups {
		g := &groups[i]
		with := series{name: g.lineName(groups), ink: g.ink, line: solidLine, glyph: g.glyph}
		for _, row := range g.rows {
			p := readsPoint(row.Bits, &row.Absent)
			if len(groups) <= mostLabelledLines && !p.bound {
				p.label = p.value
			}
			with.points = append(with.points, p)
			if row.Compared != nil && i == 0 { // files of all groups are alike when filters are ignored
				without.points = append(without.points, readsPoint(row.Bits, &row.Compared.Absent.Off))
			}
		}
		c.series = append(c.series, with)
	}
	if len(without.points) > 0 {
		c.series = append(c.series, without)
	}
	c.y = logAxis("disk reads per lookup", ysOf(c.series), plain)
	c.values = valuesOf("bits per key", c.series)
	return c
}

// noneSeen is the number of events that is expected at most, with 95 % confidence, where none was seen (Hanley,
// Lippman-Hand: If nothing goes wrong, is everything all right?, 1983).
const noneSeen = 3

func readsPoint(bits bench.Bits, p *bench.Phase) point {
	pt := point{
		x: float64(bits), y: p.PerLookup(p.DiskReads), at: atBits(bits), value: perLookupText(p),
		more: []string{fmt.Sprintf("%s reads in %s lookups", humanize.Comma(p.DiskReads), humanize.Comma(p.Lookups))},
	}
	if p.DiskReads == 0 {
		pt.bound, pt.y = true, p.PerLookup(noneSeen)
	}
	return pt
}
