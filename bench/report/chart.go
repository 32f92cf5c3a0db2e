package report

import (
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// chart is a picture before it is drawn: what is in it, and no sizes.
type chart struct {
	name   string // of its files, and its id in the page
	title  string
	about  string // says what to see in it, to those who see it and to those who do not
	x, y   axis
	series []series
	values grid   // the table behind it
	source string // the run that it comes from
}

// drawn says whether there is anything to see.
func (c *chart) drawn() bool {
	for i := range c.series {
		if len(c.series[i].points) > 0 {
			return true
		}
	}
	return false
}

// series is what belongs together in a chart and is shown and hidden together: a line, dots, bars, or several of these.
type series struct {
	name   string
	ink    *ink
	line   lineStyle
	glyph  draw.GlyphDrawer // nil: no dots
	bar    *slot            // nil: no bars
	points []point
	theory []point // where the points should lie: a dashed line behind them
}

// lineStyle is how the points of a series are joined.
type lineStyle int

const (
	noLine lineStyle = iota
	solidLine
	dashedLine
)

func (l lineStyle) dashes() []vg.Length {
	if l == dashedLine {
		return []vg.Length{5, 3}
	}
	return nil
}

// slot is the place of a bar among the bars at the same x: number of so many.
type slot struct{ number, of int }

// point is one value.
type point struct {
	x, y float64
	// from and to are the ends of an interval about y, or equal.
	from, to float64
	// base is where a bar begins.
	base float64
	// bound: the value is below y, as nothing at all was seen.
	bound bool

	at    string   // x in words
	value string   // y in words
	label string   // drawn beside it, if there is room; "": none
	more  []string // further lines that are shown on hovering
}

// tip is what is shown on hovering over p, line by line.
func (p *point) tip(s *series) []string {
	return append([]string{s.name + ", " + p.at, p.value}, p.more...)
}

// valuesOf is the table of all points of a chart: a row for each x, in the order of appearance, a column a series.
func valuesOf(x string, all []series) grid {
	g := grid{columns: []string{x}}
	rows := map[string]int{}
	for i := range all {
		for j := range all[i].points {
			at := all[i].points[j].at
			if _, seen := rows[at]; !seen {
				rows[at] = len(g.rows)
				g.rows = append(g.rows, append([]string{at}, slices.Repeat([]string{"–"}, len(all))...))
			}
			g.rows[rows[at]][1+i] = all[i].points[j].value
		}
		g.columns = append(g.columns, all[i].name)
	}
	return g
}
