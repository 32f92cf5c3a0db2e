package report

import (
	"fmt"

	"siftdb/bench"
)

// savedChart is the part of reads that filters save by the memory that they take.
func savedChart(r *bench.Result) chart {
	_, groups := groupsOf(r)
	c := chart{
		name:  "reads-saved",
		title: "Reads saved by memory of filters",
		about: "Of the reads that absent keys would need, how many the filters save, by setting of bits per key. " +
			"Each step of the scale leaves a tenth of the reads.",
	}
	var sizes []float64
	for i := range groups {
		g := &groups[i]
		line := series{name: g.lineName(groups), ink: g.ink, line: solidLine, glyph: g.glyph}
		for _, row := range g.rows {
			if row.Absent.TablesChecked == 0 {
				continue
			}
			p := savedPoint(row)
			if len(groups) == 1 {
				p.label = row.Bits.String()
			}
			sizes = append(sizes, p.x)
			line.points = append(line.points, p)
		}
		c.series = append(c.series, line)
	}
	c.x = linearAxis("memory of filters, MiB", sizes, plain)
	c.y = ninesAxis("reads saved, absent keys", ysOf(c.series))
	c.values = valuesOf("memory of filters", c.series)
	return c
}

func savedPoint(row *bench.Row) point {
	share := row.Absent.SkippedShare()
	return point{
		x: float64(row.Filter.Bytes) / (1 << 20), y: share,
		at: mebibytes(row.Filter.Bytes) + " MiB at " + atBits(row.Bits), value: percent(share),
		more: []string{
			fmt.Sprintf("%.2f of %.2f reads a lookup",
				row.Absent.PerLookup(row.Absent.ReadsSkipped), row.Absent.PerLookup(row.Absent.TablesChecked)),
		},
	}
}
