package report

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// labeller writes labels beside points where there is room, and leaves out those for which there is none.
type labeller struct {
	taken []vg.Rectangle
}

// lineStep is how far apart the places are at which a line is kept clear.
const lineStep = 3

// keepClear takes the places of all marks, so that no label covers one.
func (l *labeller) keepClear(p *plot.Plot, c draw.Canvas, all []series) {
	for i := range all {
		s := &all[i]
		for j := range s.points {
			if s.bar != nil {
				l.taken = append(l.taken, barOf(&c, p, s.bar, &s.points[j]))
				continue
			}
			at := place(&c, p, s.points[j].x, s.points[j].y)
			l.taken = append(l.taken, around(at, glyphRadius))
			if j > 0 && s.line != noLine {
				l.keepLineClear(place(&c, p, s.points[j-1].x, s.points[j-1].y), at)
			}
		}
	}
}

func (l *labeller) keepLineClear(from, to vg.Point) {
	way := to.Sub(from)
	steps := math.Ceil(math.Hypot(way.X.Points(), way.Y.Points()) / lineStep)
	for i := range int(steps) {
		l.taken = append(l.taken, around(from.Add(way.Scale(vg.Length(float64(i)/steps))), lineWidth/2))
	}
}

func around(p vg.Point, r vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: p.X - r, Y: p.Y - r}, Max: vg.Point{X: p.X + r, Y: p.Y + r}}
}

// draw writes the label of a point.
func (l *labeller) draw(c *draw.Canvas, p *plot.Plot, s *series, pt *point) {
	if pt.label == "" {
		return
	}
	style := textStyle(labelSize, inkText)
	size := vg.Point{X: style.Width(pt.label), Y: style.Height(pt.label)}
	for _, corner := range l.candidates(c, p, s, pt, size) {
		box := vg.Rectangle{Min: corner, Max: corner.Add(size)}
		if !l.free(c, box) {
			continue
		}
		l.taken = append(l.taken, box)
		descent := style.FontExtents().Descent
		c.FillText(style, vg.Point{X: corner.X, Y: corner.Y + descent}, pt.label)
		return
	}
}

// candidates are the places for a label, by their lower left corner, the best first.
func (l *labeller) candidates(c *draw.Canvas, p *plot.Plot, s *series, pt *point, size vg.Point) []vg.Point {
	if s.bar != nil {
		bar := barOf(c, p, s.bar, pt)
		return []vg.Point{{X: (bar.Min.X+bar.Max.X)/2 - size.X/2, Y: bar.Max.Y + 1}}
	}
	const gap = glyphRadius + 1
	at := place(c, p, pt.x, pt.y)
	right, left, centre := at.X+gap-1, at.X-gap+1-size.X, at.X-size.X/2
	above, below := at.Y+gap-2, at.Y-gap+2-size.Y
	return []vg.Point{
		{X: centre, Y: at.Y + gap}, {X: right, Y: above}, {X: left, Y: above},
		{X: right, Y: below}, {X: centre, Y: at.Y - gap - size.Y}, {X: left, Y: below},
	}
}

// free says whether nothing else is in a box, and it is inside the drawing.
func (l *labeller) free(c *draw.Canvas, box vg.Rectangle) bool {
	if box.Min.X < c.Min.X || box.Max.X > c.Max.X+margin || box.Min.Y < c.Min.Y || box.Max.Y > c.Max.Y+labelSize {
		return false
	}
	for _, other := range l.taken {
		if box.Min.X < other.Max.X && other.Min.X < box.Max.X && box.Min.Y < other.Max.Y && other.Min.Y < box.Max.Y {
			return false
		}
	}
	return true
}
