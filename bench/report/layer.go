package report

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	lineWidth   = 2
	glyphRadius = 3.6
	capWidth    = 3    // half the width of an interval's ends
	barsWidth   = 0.78 // of the way from one x to the next
	widestBar   = 56
	loneLine    = 40 // length of the line through one point
)

// layer draws a series in a plot.
type layer struct {
	series  *series
	number  int
	surface surface
	labels  *labeller
}

func (s *series) lineStyle(line lineStyle) draw.LineStyle {
	return draw.LineStyle{Color: s.ink, Width: lineWidth, Dashes: line.dashes()}
}

func (s *series) glyphStyle() draw.GlyphStyle {
	return draw.GlyphStyle{Color: s.ink, Radius: glyphRadius, Shape: s.glyph}
}

// Plot makes a layer a plot.Plotter.
func (l *layer) Plot(c draw.Canvas, p *plot.Plot) {
	l.surface.beginSeries(l.number)
	defer l.surface.end()
	c.StrokeLines(l.series.lineStyle(dashedLine), widened(places(&c, p, l.series.theory)))
	if l.series.line != noLine {
		line := places(&c, p, l.series.points)
		if l.series.glyph == nil {
			line = widened(line)
		}
		c.StrokeLines(l.series.lineStyle(l.series.line), line)
	}
	if l.series.glyph == nil && l.series.bar == nil {
		return
	}
	for i := range l.series.points {
		l.surface.beginPoint(l.series.points[i].tip(l.series))
		l.drawPoint(&c, p, &l.series.points[i])
		l.surface.end()
	}
	for i := range l.series.points {
		l.labels.draw(&c, p, l.series, &l.series.points[i])
	}
}

// places are where the points of a line lie.
func places(c *draw.Canvas, p *plot.Plot, points []point) []vg.Point {
	var line []vg.Point
	for i := range points {
		if pt := &points[i]; !pt.bound {
			line = append(line, place(c, p, pt.x, pt.y))
		}
	}
	return line
}

// widened gives a point alone, where no mark shows it, a short line across it.
func widened(line []vg.Point) []vg.Point {
	if len(line) != 1 {
		return line
	}
	half := vg.Point{X: loneLine / 2}
	return []vg.Point{line[0].Sub(half), line[0].Add(half)}
}

func (l *layer) drawPoint(c *draw.Canvas, p *plot.Plot, pt *point) {
	if l.series.bar != nil {
		c.FillPolygon(l.series.ink, corners(barOf(c, p, l.series.bar, pt)))
		return
	}
	at := place(c, p, pt.x, pt.y)
	style := l.series.glyphStyle()
	if pt.bound {
		style.Shape = downGlyph{}
	}
	if pt.from < pt.to {
		from, to := place(c, p, pt.x, pt.from), place(c, p, pt.x, pt.to)
		stroke := lineOf(l.series.ink, 1.5)
		c.StrokeLine2(stroke, at.X, from.Y, at.X, to.Y)
		c.StrokeLine2(stroke, at.X-capWidth, from.Y, at.X+capWidth, from.Y)
		c.StrokeLine2(stroke, at.X-capWidth, to.Y, at.X+capWidth, to.Y)
	}
	c.DrawGlyph(style, at)
}

// place is where a value lies in c: at an end of an axis if it is beyond.
func place(c *draw.Canvas, p *plot.Plot, x, y float64) vg.Point {
	x, y = min(max(x, p.X.Min), p.X.Max), min(max(y, p.Y.Min), p.Y.Max)
	return vg.Point{X: c.X(p.X.Norm(x)), Y: c.Y(p.Y.Norm(y))}
}

// barOf is the bar of a point.
func barOf(c *draw.Canvas, p *plot.Plot, s *slot, pt *point) vg.Rectangle {
	width := min((place(c, p, pt.x+barsWidth/2, 0).X-place(c, p, pt.x-barsWidth/2, 0).X)/vg.Length(s.of), widestBar)
	from, to := place(c, p, pt.x, pt.base), place(c, p, pt.x, pt.y)
	left := from.X + width*(vg.Length(s.number)-vg.Length(s.of)/2)
	return vg.Rectangle{Min: vg.Point{X: left, Y: from.Y}, Max: vg.Point{X: left + width, Y: to.Y}}
}

// downGlyph is an arrow's head that points down: the value is somewhere below.
type downGlyph struct{}

// DrawGlyph makes it a draw.GlyphDrawer.
func (downGlyph) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	r := style.Radius * 1.3
	c.FillPolygon(style.Color, []vg.Point{
		{X: at.X - r, Y: at.Y + r}, {X: at.X + r, Y: at.Y + r}, {X: at.X, Y: at.Y - r},
	})
}

// diamondGlyph is a square on its corner.
type diamondGlyph struct{}

// DrawGlyph makes it a draw.GlyphDrawer.
func (diamondGlyph) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	r := style.Radius * 1.3
	c.FillPolygon(style.Color, []vg.Point{
		{X: at.X - r, Y: at.Y}, {X: at.X, Y: at.Y + r}, {X: at.X + r, Y: at.Y}, {X: at.X, Y: at.Y - r},
	})
}
