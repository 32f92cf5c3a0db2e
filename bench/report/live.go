package report

import (
	"fmt"
	"time"

	"github.com/dustin/go-humanize"

	"siftdb/bench"
)

// liveChart is what the filters took in memory while bits per key changed.
func liveChart(r *bench.Result) chart {
	c := chart{
		name:  "live",
		title: "Filters in memory after a change of bits per key",
		about: "Of one store, while it is being looked up in. No table is written for it and no data block read: " +
			"planes are dropped, " +
			"or read from the tables' files.",
	}
	var times, sizes []float64
	for i := range r.Live {
		change := &r.Live[i]
		line := series{
			name: change.From.String() + " → " + change.To.String(), ink: groupInks[i%len(groupInks)], line: solidLine,
			glyph: groupGlyphs[i%len(groupGlyphs)],
		}
		for _, moment := range change.Course {
			p := point{
				x: float64(moment.After) / float64(time.Millisecond), y: float64(moment.Bytes) / (1 << 20),
				at: "after " + duration(moment.After), value: mebibytes(moment.Bytes) + " MiB",
				more: []string{fmt.Sprintf("%s of the new budget",
					percent(float64(moment.Bytes)/float64(max(change.Budget, 1))))},
			}
			times, sizes = append(times, p.x), append(sizes, p.y)
			line.points = append(line.points, p)
		}
		c.series = append(c.series, line)
	}
	c.x = linearAxis("milliseconds since the change was asked for", times, plain)
	c.y = linearAxis("filters in memory, MiB", sizes, plain)
	c.values = valuesOf("time", c.series)
	return c
}

// liveGrid is changes of bits per key while the store was being read.
func liveGrid(r *bench.Result) grid {
	g := grid{
		title: "Bits per key changed under lookups",
		columns: []string{"bits per key", "took", "filter MiB", "of budget", "files written", "filter reads",
			"other reads", "lookups meanwhile", "their p50", "their p99", "their max", "wasted before",
			"wasted after", "after, theory"},
	}
	for i := range r.Live {
		c := &r.Live[i]
		g.rows = append(g.rows, []string{
			c.From.String() + " → " + c.To.String(), duration(c.Took), mebibytes(c.Bytes),
			percent(float64(c.Bytes) / float64(max(c.Budget, 1))),
			humanize.Comma(c.FilesWritten), humanize.Comma(c.FilterReads), humanize.Comma(c.OtherReads),
			humanize.Comma(c.During.Lookups),
			duration(c.During.Latency.P50), duration(c.During.Latency.P99), duration(c.During.Latency.Max),
			wastedShare(&c.Before), wastedShare(&c.After), percent(c.AfterTheory),
		})
	}
	if len(g.rows) > 0 {
		g.notes = []string{
			"Took is until the filters in memory are 95 to 100 % of what the new setting comes to.",
			"Other reads are those of table files that are neither of filters nor the lookups' own: data blocks " +
				"would be among them.",
			"Wasted are block reads for nothing, per 100 lookups of absent keys; by theory, each plane in memory " +
				"halves those of its table.",
		}
	}
	return g
}

// wastedShare is the tables that lookups of absent keys searched.
func wastedShare(p *bench.Phase) string {
	return percent(p.PerLookup(p.TablesChecked - p.ReadsSkipped))
}
