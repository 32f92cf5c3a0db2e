package report

import (
	"fmt"

	"github.com/dustin/go-humanize"

	"siftdb/bench"
)

// levelsChart is what the filters of each level did for absent keys, in the row nearest to the store's default.
func levelsChart(r *bench.Result) chart {
	_, groups := groupsOf(r)
	row := nearestTen(groups)
	if row == nil {
		return chart{}
	}
	c := chart{
		name:  "levels",
		title: "Filters of each level, " + atBits(row.Bits),
		about: "How often a lookup of an absent key asks the filters of a level, and what they answer: a skip saves a read, a false pass causes one for nothing. " +
			"The table has the other settings.",
		values: levelsGrid(r),
	}
	var names []string
	var heights []float64
	skips := series{name: "skips", ink: inkBlue, bar: &slot{0, 1}}
	passes := series{name: "false passes", ink: inkWaste, bar: &slot{0, 1}}
	for i := range row.Levels {
		l := &row.Levels[i]
		each := func(n int64) float64 { return row.Absent.PerLookup(n) }
		names = append(names, fmt.Sprintf("L%d", l.Level))
		heights = append(heights, each(l.Checks))
		more := []string{
			fmt.Sprintf("%s checks, %s skips, %s false passes", humanize.Comma(l.Checks), humanize.Comma(l.Skips), humanize.Comma(l.FalsePasses)),
			fmt.Sprintf("%d tables, %s keys, %.2f bits per key", l.Tables, humanize.Comma(l.Keys), l.BitsPerKey),
		}
		at := fmt.Sprintf("level %d", l.Level)
		skips.points = append(skips.points, point{
			x: float64(i), y: each(l.Skips), at: at, value: plain(each(l.Skips)) + " a lookup", more: more,
		})
		passes.points = append(passes.points, point{
			x: float64(i), base: each(l.Skips), y: each(l.Skips + l.FalsePasses), at: at,
			value: plain(each(l.FalsePasses)) + " a lookup", label: passedShare(l), more: more,
		})
	}
	c.series = []series{skips, passes}
	c.x = namedAxis("level; above the bars: rate of false passes", names)
	c.y = linearAxis("filter checks per lookup", roomAbove(heights), plain)
	return c
}

// passedShare is the rate of false passes of a level.
func passedShare(l *bench.Level) string {
	probes := l.Skips + l.FalsePasses
	if probes == 0 {
		return ""
	}
	return percent(float64(l.FalsePasses) / float64(probes))
}

// levelsGrid is the levels of all rows.
func levelsGrid(r *bench.Result) grid {
	g := grid{columns: settingColumns(r, "level", "tables", "keys", "true bits/key", "checks", "skips", "false passes", "rate measured", "rate theory")}
	for i := range r.Rows {
		row := &r.Rows[i]
		for j := range row.Levels {
			l := &row.Levels[j]
			if l.Checks == 0 {
				continue
			}
			g.rows = append(g.rows, settingCells(r, row,
				fmt.Sprintf("L%d", l.Level), humanize.Comma(int64(l.Tables)), humanize.Comma(l.Keys),
				fmt.Sprintf("%.2f", l.BitsPerKey), humanize.Comma(l.Checks), humanize.Comma(l.Skips), humanize.Comma(l.FalsePasses),
				passedShare(l), percent(l.Expected),
			))
		}
	}
	return g
}
