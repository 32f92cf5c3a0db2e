package report

import (
	"github.com/dustin/go-humanize"

	"siftdb/bench"
)

// liveGrid is changes of bits per key while the store was being read.
func liveGrid(r *bench.Result) grid {
	g := grid{
		title: "Bits per key changed under lookups",
		columns: []string{"bits per key", "took", "filter MiB", "of budget", "files written", "filter reads", "other reads",
			"lookups meanwhile", "their p50", "their p99", "their max", "wasted before", "wasted after"},
	}
	for i := range r.Live {
		c := &r.Live[i]
		g.rows = append(g.rows, []string{
			c.From.String() + " → " + c.To.String(), duration(c.Took), mebibytes(c.Bytes),
			percent(float64(c.Bytes) / float64(max(c.Budget, 1))),
			humanize.Comma(c.FilesWritten), humanize.Comma(c.FilterReads), humanize.Comma(c.OtherReads),
			humanize.Comma(c.During.Lookups), duration(c.During.Latency.P50), duration(c.During.Latency.P99), duration(c.During.Latency.Max),
			wastedShare(&c.Before), wastedShare(&c.After),
		})
	}
	if len(g.rows) > 0 {
		g.notes = []string{
			"Took is until the filters in memory are 95 to 100 % of what the new setting comes to. Other reads are those of table files that are neither",
			"of filters nor the lookups' own. Wasted are block reads for nothing, per 100 lookups of absent keys.",
		}
	}
	return g
}

// wastedShare is the tables that lookups of absent keys searched.
func wastedShare(p *bench.Phase) string {
	return percent(p.PerLookup(p.TablesChecked - p.ReadsSkipped))
}
