package report

import (
	"bytes"
	"fmt"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	swatchWidth  = 26
	swatchHeight = 12
)

// drawLegend writes the names of series with their marks at the top of area, in as many lines as it takes, and takes
// their height off.
func drawLegend(area *draw.Canvas, all []series) {
	style := textStyle(textSize, inkText)
	line := style.Height("x") + margin
	at := vg.Point{X: area.Min.X, Y: area.Max.Y - line}
	for i := range all {
		width := swatchWidth + margin + style.Width(all[i].name) + 4*margin
		if at.X > area.Min.X && at.X+width > area.Max.X {
			at.X, at.Y = area.Min.X, at.Y-line
		}
		swatch := draw.Canvas{Canvas: area.Canvas, Rectangle: vg.Rectangle{
			Min: at, Max: at.Add(vg.Point{X: swatchWidth, Y: swatchHeight}),
		}}
		drawSwatch(&swatch, &all[i])
		area.FillText(style, vg.Point{X: at.X + swatchWidth + margin, Y: at.Y + 1}, all[i].name)
		at.X += width
	}
	area.Max.Y = at.Y - 2*margin
}

// drawSwatch draws the marks of a series.
func drawSwatch(c *draw.Canvas, s *series) {
	middle := c.Center()
	if s.bar != nil {
		c.FillPolygon(s.ink, corners(vg.Rectangle{
			Min: vg.Point{X: middle.X - swatchHeight/2, Y: c.Min.Y + 1},
			Max: vg.Point{X: middle.X + swatchHeight/2, Y: c.Max.Y - 1},
		}))
		return
	}
	if len(s.theory) > 0 {
		c.StrokeLine2(s.lineStyle(dashedLine), c.Min.X, middle.Y, c.Max.X, middle.Y)
	}
	if s.line != noLine {
		c.StrokeLine2(s.lineStyle(s.line), c.Min.X, middle.Y, c.Max.X, middle.Y)
	}
	c.DrawGlyph(s.glyphStyle(), middle)
}

// swatchSVG is the marks of a series as a drawing for the page's legend.
func swatchSVG(s *series) string {
	surface := newSVGSurface(frame{width: swatchWidth, height: swatchHeight})
	c := draw.NewCanvas(surface, swatchWidth, swatchHeight)
	drawSwatch(&c, s)
	var b bytes.Buffer
	fmt.Fprintf(&b,
		"<svg class=\"swatch\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" aria-hidden=\"true\">\n%s</svg>",
		swatchWidth, swatchHeight, swatchWidth, swatchHeight, surface.body.Bytes())
	return b.String()
}
