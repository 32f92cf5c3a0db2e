package plot

import (
	"io"
	"strings"
)

// Curves is a picture of panels with curves, all over the same values of x.
type Curves struct {
	Title  string
	About  string // says what to see in it
	X      string // what x is
	Source string // where the figures come from
	Legend []Name
	Ticks  []Tick // of x
	Panels []Panel
}

// Tick is a value of an axis and its text.
type Tick struct {
	Value float64
	Text  string
}

// Panel is one drawing of several.
type Panel struct {
	Title  string
	Curves []Curve
}

// Curve is points that belong together, joined by a line; Marked says with which marks, and an unmarked one is thin.
type Curve struct {
	Style  Style
	Marked Marking
	Points []Point
}

// Marking is whether the points of a curve have marks.
type Marking int

// The markings of curves.
const (
	Marked Marking = iota
	Unmarked
)

// Point is a value of a curve.
type Point struct{ X, Y float64 }

const (
	panelWidth  = (width - 3*margin) / 2
	panelHeight = 165.
	panelLeft   = 34. // for the ticks of y
	panelTop    = 20. // for the title
	panelBottom = 32. // for the ticks of x, and room
)

// Write writes the picture as SVG.
func (p *Curves) Write(w io.Writer) error {
	c := &canvas{}
	c.title(margin+titleSize, p.Title)
	y := c.paragraph(margin+titleSize+20, quiet, p.About)
	y = c.legend(y+4, p.Legend)
	for i := range p.Panels {
		left := margin + float64(i%2)*(panelWidth+margin)
		p.panel(c, left, y+float64(i/2)*panelHeight, &p.Panels[i])
	}
	y += panelHeight * float64((len(p.Panels)+1)/2)
	c.text(width/2, y+6, middle, quiet, p.X)
	return c.save(w, p.Title, p.About, c.paragraph(y+26, quiet, p.Source))
}

func (p *Curves) panel(c *canvas, left, top float64, panel *Panel) {
	var xs, ys []float64
	for _, t := range p.Ticks {
		xs = append(xs, t.Value)
	}
	for _, curve := range panel.Curves {
		for _, pt := range curve.Points {
			xs, ys = append(xs, pt.X), append(ys, pt.Y)
		}
	}
	bottom, right := top+panelHeight-panelBottom, left+panelWidth
	x := newScale(xs, left+panelLeft, right)
	y := newScale(ys, bottom, top+panelTop)
	c.text(left, top+10, start, text, panel.Title)
	for _, v := range y.ticks(6) {
		c.line(left+panelLeft, y.at(v), right, y.at(v), 1, grid)
		c.text(left+panelLeft-4, y.at(v)+4, end, quiet, plain(v))
	}
	for _, t := range p.Ticks {
		c.line(x.at(t.Value), bottom, x.at(t.Value), bottom+4, 1, quiet)
		c.text(x.at(t.Value), bottom+15, middle, quiet, t.Text)
	}
	c.line(left+panelLeft, bottom, right, bottom, 1, quiet)
	for _, curve := range panel.Curves {
		drawCurve(c, x, y, curve)
	}
}

func drawCurve(c *canvas, x, y scale, curve Curve) {
	var path strings.Builder
	for i, pt := range curve.Points {
		path.WriteString("ML"[min(i, 1) : min(i, 1)+1])
		path.WriteString(number(x.at(pt.X)) + " " + number(y.at(pt.Y)))
	}
	style := `stroke-width="2"`
	if curve.Marked == Unmarked {
		style = `stroke-width="1.5" stroke-dasharray="2 3"`
	}
	c.printf("<path fill=\"none\" %s %s d=\"%s\"/>\n", curve.Style.Ink.stroke(), style, path.String())
	if curve.Marked == Unmarked {
		return
	}
	for _, pt := range curve.Points {
		c.mark(x.at(pt.X), y.at(pt.Y), curve.Style)
	}
}
