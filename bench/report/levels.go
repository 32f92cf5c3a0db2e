package report

import (
	"fmt"
	"slices"

	"github.com/dustin/go-humanize"

	"siftdb/bench"
)

// levelsChart is what the filters of each level did for absent keys, at the setting nearest to the store's default.
func levelsChart(r *bench.Result) chart {
	_, groups := groupsOf(r)
	row := nearestTen(groups)
	switch {
	case row == nil:
		return chart{}
	case len(groups) > 1:
		return levelRatesChart(r, groups, row.Bits)
	}
	return levelChecksChart(r, row)
}

// levelRatesChart compares what the filters of groups let pass in each level, at equal bits per key.
func levelRatesChart(r *bench.Result, groups []group, bits bench.Bits) chart {
	c := chart{
		name:  "levels",
		title: "False passes of each level, " + atBits(bits),
		about: "A false pass costs a block read for nothing. An absent key asks all levels alike, but a bit more for " +
			"each key " +
			"costs little where keys are few. The table has the other settings.",
		values: levelsGrid(r),
	}
	var names []string
	for i := range groups {
		g := &groups[i]
		line := series{name: g.name, ink: g.ink, line: solidLine, glyph: g.glyph}
		for _, row := range g.rows {
			if row.Bits == bits {
				line.points = levelPoints(row, &names)
			}
		}
		c.series = append(c.series, line)
	}
	c.x = namedAxis("level", names)
	c.y = logAxis("false passes per lookup", ysOf(c.series), plain)
	return c
}

// levelPoints are the false passes of a row by its levels, whose names are added to those that there are.
func levelPoints(row *bench.Row, names *[]string) []point {
	var points []point
	for i := range row.Levels {
		l := &row.Levels[i]
		name := fmt.Sprintf("L%d", l.Level)
		if !slices.Contains(*names, name) {
			*names = append(*names, name)
		}
		each := row.Absent.PerLookup(l.FalsePasses)
		p := point{
			x: float64(slices.Index(*names, name)), y: each, at: fmt.Sprintf("level %d", l.Level),
			value: plain(each) + " a lookup", more: levelFacts(l),
		}
		if l.FalsePasses == 0 {
			p.bound, p.y = true, row.Absent.PerLookup(noneSeen)
		}
		points = append(points, p)
	}
	return points
}

func levelFacts(l *bench.Level) []string {
	return []string{
		fmt.Sprintf("%s checks, %s skips, %s false passes",
			humanize.Comma(l.Checks), humanize.Comma(l.Skips), humanize.Comma(l.FalsePasses)),
		fmt.Sprintf("%d tables, %s keys, %.2f bits per key", l.Tables, humanize.Comma(l.Keys), l.BitsPerKey),
	}
}

// levelChecksChart is how often the filters of each level were asked, and what they answered.
func levelChecksChart(r *bench.Result, row *bench.Row) chart {
	c := chart{
		name:  "levels",
		title: "Filters of each level, " + atBits(row.Bits),
		about: "How often a lookup of an absent key asks the filters of a level, and what they answer: a skip saves " +
			"a read, a false pass causes one for nothing. The table has the other settings.",
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
		more := levelFacts(l)
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
	g := grid{columns: settingColumns(r, "level", "tables", "keys", "true bits/key", "checks", "skips", "false passes",
		"rate measured", "rate theory")}
	for i := range r.Rows {
		row := &r.Rows[i]
		for j := range row.Levels {
			l := &row.Levels[j]
			if l.Checks == 0 {
				continue
			}
			g.rows = append(g.rows, settingCells(r, row,
				fmt.Sprintf("L%d", l.Level), humanize.Comma(int64(l.Tables)), humanize.Comma(l.Keys),
				fmt.Sprintf("%.2f", l.BitsPerKey), humanize.Comma(l.Checks), humanize.Comma(l.Skips),
				humanize.Comma(l.FalsePasses),
				passedShare(l), percent(l.Expected),
			))
		}
	}
	return g
}
