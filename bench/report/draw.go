package report

import (
	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// frame is the size of a drawing, in units that are pixels where a drawing is shown at its own size.
type frame struct {
	width, height vg.Length
	captions      captions
}

// captions says which words a drawing holds beside its axes'.
type captions int

const (
	captionsOutside captions = iota // title and legend stand around it, in the page
	captionsInside
)

var (
	frameFile  = frame{width: 720, height: 420, captions: captionsInside}
	frameWide  = frame{width: 520, height: 330} // in a page
	framePhone = frame{width: 330, height: 270} // in a page on a phone
)

const (
	titleSize = 16
	textSize  = 12
	labelSize = 10.5
	margin    = 4
)

// textStyle is how words are drawn: in one typeface, which the drawing library brings along.
func textStyle(size vg.Length, i *ink) text.Style {
	return text.Style{
		Color:   i,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		Handler: plot.DefaultTextHandler,
	}
}

func lineOf(i *ink, width vg.Length) draw.LineStyle { return draw.LineStyle{Color: i, Width: width} }

// drawChart draws c on s.
func drawChart(c *chart, f frame, s surface) {
	area := draw.NewCanvas(s, f.width, f.height)
	area = draw.Crop(area, 0, -margin, 0, 0) // the last point's mark is as wide as that
	if f.captions == captionsInside {
		area.FillPolygon(inkPaper, corners(area.Rectangle))
		area = draw.Crop(area, 4*margin, -4*margin, 3*margin, -4*margin)
		drawTitle(&area, c.title)
		drawLegend(&area, c.series)
		drawSource(&area, c.source)
	}
	// The label of y lies above the axis: turned by 90 degrees it is hard to read and takes width from phones.
	drawLine(&area, textStyle(textSize, inkQuiet), c.y.label)
	area.Max.Y -= 2 * margin

	p := plot.New()
	p.BackgroundColor = nil
	setAxis(&p.X, &c.x)
	setAxis(&p.Y, &c.y)
	p.X.Label.Text = c.x.label
	p.X.Label.TextStyle = textStyle(textSize, inkQuiet)
	p.X.Label.TextStyle.XAlign, p.X.Label.TextStyle.YAlign = draw.XCenter, draw.YBottom
	p.X.Label.Padding = margin
	p.Add(&plotter.Grid{Horizontal: lineOf(inkGrid, 1)})
	labels := &labeller{}
	for i := range c.series {
		p.Add(&layer{series: &c.series[i], number: i, surface: s, labels: labels})
	}
	labels.keepClear(p, p.DataCanvas(area), c.series)
	p.Draw(area)
}

// setAxis makes an axis of the drawing library what a says.
func setAxis(to *plot.Axis, a *axis) {
	to.Min, to.Max, to.Scale = a.low, a.high, a.scale
	to.Padding = 0
	to.LineStyle = lineOf(inkQuiet, 1)
	to.Tick.LineStyle = lineOf(inkQuiet, 1)
	to.Tick.Length = 5
	to.Tick.Marker = plot.ConstantTicks(a.ticks)
	to.Tick.Label.Color = inkQuiet
	if to.Tick.Label.YAlign == draw.YCenter {
		to.Tick.Label.YAlign -= 0.12 // figures have nothing below their line
	}
	to.Tick.Label.Font = textStyle(textSize-1, inkQuiet).Font
}

func drawTitle(area *draw.Canvas, title string) {
	style := textStyle(titleSize, inkText)
	style.Font.Weight = xfont.WeightBold
	drawLine(area, style, title)
	area.Max.Y -= 2 * margin
}

// drawLine writes a line at the top of area and takes its height off.
func drawLine(area *draw.Canvas, style text.Style, words string) {
	style.YAlign = draw.YTop
	area.FillText(style, vg.Point{X: area.Min.X, Y: area.Max.Y}, words)
	area.Max.Y -= style.Height(words)
}

// drawSource writes small at the bottom of area where a picture comes from, as much as fits, and takes its height off.
func drawSource(area *draw.Canvas, words string) {
	style := textStyle(labelSize, inkQuiet)
	if room := area.Max.X - area.Min.X; style.Width(words) > room {
		letters := []rune(words)
		for style.Width(string(letters)+"…") > room {
			letters = letters[:len(letters)-1]
		}
		words = string(letters) + "…"
	}
	area.FillText(style, area.Min, words)
	area.Min.Y += style.Height(words) + margin
}

func corners(r vg.Rectangle) []vg.Point {
	return []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}}
}
