package compare

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"siftdb/bench/peers/plot"
	"siftdb/bench/peers/rows"
)

// picture is a drawing and the file that it is for.
type picture struct {
	name  string // of the file
	alt   string // for those who do not see it
	write func(io.Writer) error
}

// styles are how stores look in all pictures.
var styles = map[string]plot.Style{
	own:              {Ink: plot.Blue, Shape: plot.Disc},
	"pebble":         {Ink: plot.Vermillion, Shape: plot.Square},
	"goleveldb":      {Ink: plot.Green, Shape: plot.Triangle},
	"badger":         {Ink: plot.Purple, Shape: plot.Diamond},
	"bbolt":          {Ink: plot.Grey, Shape: plot.Ring},
	"rocksdb":        {Ink: plot.Ochre, Shape: plot.Cross},
	"siftdb-leveled": {Ink: plot.Blue, Shape: plot.Square},
	"siftdb-lazy":    {Ink: plot.Blue, Shape: plot.Triangle},
}

// legendOf names stores with their styles.
func legendOf(stores []rows.Store) (names []plot.Name) {
	for _, s := range stores {
		names = append(names, plot.Name{Style: styles[s.Name], Text: s.Name})
	}
	return names
}

// ratios draws how fast each neighbour is beside siftdb, phase by phase.
func (c *comparison) ratios() picture {
	d := &plot.Dots{
		Title: "Neighbours' speed, siftdb's = 1",
		About: "Marks at the left of the blue line are slower than siftdb, at the right faster. The short stroke is " +
			"where the best neighbour, bbolt apart, may be for the goal to be reached.",
		Unit:   "times siftdb's operations a second",
		Source: sourceOf(c.header),
		Line:   1,
	}
	neighbours := slices.DeleteFunc(slices.Clone(c.stores), func(s rows.Store) bool { return s.Name == own })
	d.Legend = legendOf(neighbours)
	for _, f := range c.figures {
		v, there := f.speedVerdict(c.stores)
		if !there {
			continue
		}
		mine, _ := f.of(own, rows.Row.PerSecond)
		row := plot.Row{Text: f.title(), Note: fmt.Sprintf("siftdb %.2f × %s", v.ratio.median, v.other)}
		if v.least > 0 {
			row.Goal = 1 / v.least
			row.Note += ", " + atLeast(v.ratio.median, v.least)
		}
		for _, s := range neighbours {
			if theirs, there := f.of(s.Name, rows.Row.PerSecond); there {
				row.Marks = append(row.Marks, plot.Mark{Style: styles[s.Name], Value: theirs.median / mine.median})
			}
		}
		d.Rows = append(d.Rows, row)
	}
	return picture{"ratios.svg", "Speed of each neighbour beside siftdb's, phase by phase", d.Write}
}

// phasesWithLatency are those whose latencies are drawn: there is room for a few.
var phasesWithLatency = []string{"read absent, as loaded", "read present, as loaded", "read present, cold",
	"fill random", "seek + 10", "read while writing"}

// latencyPicture draws p50, p99 and p99.9 of a few phases.
func (c *comparison) latencyPicture() picture {
	d := &plot.Dots{
		Title:  "Latency",
		About:  "From left to right p50 (disc), p99 (square) and p99.9 (triangle) of one operation, by one goroutine.",
		Unit:   "µs",
		Source: sourceOf(c.header),
	}
	for _, phase := range phasesWithLatency {
		f := named(c.figures, phase, 1)
		if f == nil {
			continue
		}
		for _, s := range c.stores {
			if len(f.rows[s.Name]) == 0 {
				continue
			}
			p50, p99, p999 := f.latency(s.Name)
			row := plot.Row{
				Text: phase + ": " + s.Name,
				Note: strings.Join([]string{short(p50), short(p99), short(p999)}, ", ") + " µs",
				Span: []float64{p50, p99, p999},
			}
			for i, shape := range []plot.Shape{plot.Disc, plot.Square, plot.Triangle} {
				style := plot.Style{Ink: styles[s.Name].Ink, Shape: shape}
				row.Marks = append(row.Marks, plot.Mark{Style: style, Value: row.Span[i]})
			}
			d.Rows = append(d.Rows, row)
		}
	}
	return picture{"latency.svg", "Latency quantiles of each store in some phases", d.Write}
}

// picture draws g: a panel for each operation, processor and time a curve each.
func (g *growth) picture(c *comparison) picture {
	p := &plot.Curves{
		Title:  "Cost of an operation by " + g.axis,
		About:  "µs, on logarithmic scales: processor as lines with marks, time dotted; goroutines share the time.",
		X:      g.axis,
		Source: sourceOf(c.header),
		Legend: legendOf(c.stores),
	}
	for _, at := range g.at {
		p.Ticks = append(p.Ticks, plot.Tick{Value: float64(at), Text: tickText(at)})
	}
	for _, phase := range g.phases {
		panel := plot.Panel{Title: phase}
		for _, s := range c.stores {
			var processor, time []plot.Point
			for _, at := range g.at {
				if cpu, wall, there := g.cost(phase, at, s.Name); there {
					processor = append(processor, plot.Point{X: float64(at), Y: cpu})
					time = append(time, plot.Point{X: float64(at), Y: wall})
				}
			}
			panel.Curves = append(panel.Curves, plot.Curve{Style: styles[s.Name], Marked: plot.Unmarked, Points: time},
				plot.Curve{Style: styles[s.Name], Points: processor})
		}
		p.Panels = append(p.Panels, panel)
	}
	name := "growth-" + strings.ReplaceAll(g.axis, " ", "-") + ".svg"
	return picture{name, "Cost of operations by " + g.axis, p.Write}
}

// tickText is a number as an axis has it.
func tickText(n int) string {
	switch {
	case n >= 1_000_000 && n%1_000_000 == 0:
		return strconv.Itoa(n/1_000_000) + "M"
	case n >= 1024 && n%1024 == 0:
		return strconv.Itoa(n>>10) + "Ki"
	case n >= 1000 && n%1000 == 0:
		return strconv.Itoa(n/1000) + "k"
	}
	return strconv.Itoa(n)
}
