package report

import (
	"io"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// surface is what charts are drawn on. Beside drawing, it is told what belongs together: each call of beginSeries and
// beginPoint has its call of end.
type surface interface {
	vg.Canvas
	beginSeries(number int)
	beginPoint(tip []string)
	end()
}

// pngSurface is a surface of pixels, which has no use for what belongs together.
type pngSurface struct{ *vgimg.Canvas }

// pngScale is how many pixels a unit of a drawing has in PNG files.
const pngScale = 2

func newPNGSurface(f frame) pngSurface {
	return pngSurface{vgimg.NewWith(vgimg.UseWH(f.width, f.height), vgimg.UseDPI(pngScale*int(vg.Inch)))}
}

func (pngSurface) beginSeries(int)     {}
func (pngSurface) beginPoint([]string) {}
func (pngSurface) end()                {}

// writePNG draws c in f as a PNG picture, with the light colours.
func writePNG(w io.Writer, c *chart, f frame) error {
	s := newPNGSurface(f)
	drawChart(c, f, s)
	_, err := vgimg.PngCanvas{Canvas: s.Canvas}.WriteTo(w)
	return err
}
