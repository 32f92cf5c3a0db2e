package report

import (
	"fmt"
	"slices"
	"time"

	"github.com/dustin/go-humanize"

	"siftdb/bench"
)

// buildChart is what a key costs to write, compactions included, by bits per key.
func buildChart(r *bench.Result) chart {
	off, groups := groupsOf(r)
	c := chart{
		name:  "build-time",
		title: "Time to write a key, by bits per key",
		about: "Filling the store until no compaction is due, over its keys. Each bar is one filling, on a machine " +
			"that may be busy with more: look at the whole, not at one bar.",
	}
	timeLabel := "time per key written"
	if r.Settings.Layout == bench.Levels {
		off = nil
		c.title = "Time to give a key its filter, by bits per key"
		c.about = "All rows share the data of one store, whose tables are copied with the row's filters. What was " +
			"copied for a row before, as for another plan of the same filters, costs nothing and is left out."
		timeLabel = "time per key copied"
	}
	settings := bitsOf(off, groups)
	names := make([]string, len(settings))
	for i, b := range settings {
		names[i] = b.String()
	}
	if off != nil {
		c.series = append(c.series, series{
			name: "filters off", ink: inkWaste, bar: &slot{0, 1},
			points: buildPoints(settings, []*bench.Row{off}),
		})
	}
	groups = slices.DeleteFunc(groups, func(g group) bool { return !slices.ContainsFunc(g.rows, wasBuilt) })
	for i := range groups {
		g := &groups[i]
		c.series = append(c.series, series{
			name: g.lineName(groups), ink: g.ink, bar: &slot{i, len(groups)},
			points: buildPoints(settings, g.rows),
		})
	}
	c.x = namedAxis("bits per key", names)
	c.y = linearAxis(timeLabel, roomAbove(ysOf(c.series)),
		func(v float64) string { return plainDuration(time.Duration(v)) })
	c.values = valuesOf("bits per key", c.series)
	return c
}

// wasBuilt says whether something was written for a row.
func wasBuilt(row *bench.Row) bool {
	return row.Build.Keys > 0 && row.Build.Flushes+row.Build.FiltersRebuilt > 0
}

func buildPoints(settings []bench.Bits, rows []*bench.Row) []point {
	var points []point
	for _, row := range rows {
		b := &row.Build
		if !wasBuilt(row) {
			continue
		}
		each := b.Elapsed / time.Duration(b.Keys)
		points = append(points, point{
			x: float64(slices.Index(settings, row.Bits)), y: float64(each), at: atBits(row.Bits), value: duration(each),
			label: plainDuration(each),
			more: []string{
				fmt.Sprintf("%s keys in %s", humanize.Comma(int64(b.Keys)), duration(b.Elapsed)),
				writtenText(b),
				fmt.Sprintf("%d tables, %s; filters %s", b.Tables, size(b.TableBytes), size(row.Filter.Bytes)),
			},
		})
	}
	return points
}

func writtenText(b *bench.Build) string {
	if b.Flushes == 0 {
		return fmt.Sprintf("%s tables copied with other filters", humanize.Comma(b.FiltersRebuilt))
	}
	return fmt.Sprintf("%s flushed, %s written by compactions", size(b.FlushedBytes), size(b.CompactedBytes))
}
