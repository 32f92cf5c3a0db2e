package report

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// svgSurface is a surface that writes SVG. Unlike the drawing library's own it keeps what belongs together in groups,
// gives each shape a class by its ink beside the light colour, so that style rules can turn a drawing dark, and rounds
// to hundredths, so that a drawing is the same on every machine. Its y goes down, the library's up.
type svgSurface struct {
	height float64
	body   bytes.Buffer
	stack  []svgState // the last is in force
}

// svgState is what Push keeps and Pop brings back.
type svgState struct {
	color  color.Color
	width  vg.Length
	dashes []vg.Length
	offset vg.Length
	groups int // opened by transformations since Push
}

func newSVGSurface(f frame) *svgSurface {
	s := &svgSurface{height: f.height.Points(), stack: []svgState{{}}}
	vg.Initialize(s)
	return s
}

func (s *svgSurface) state() *svgState { return &s.stack[len(s.stack)-1] }

func (s *svgSurface) printf(format string, args ...any) { fmt.Fprintf(&s.body, format, args...) }

func (s *svgSurface) beginSeries(number int) { s.printf("<g data-series=\"%d\">\n", number) }

func (s *svgSurface) beginPoint(tip []string) {
	s.printf("<g class=\"point\"><title>%s</title>", html.EscapeString(strings.Join(tip, "\n")))
}

func (s *svgSurface) end() { s.printf("</g>\n") }

// SetLineWidth, SetLineDash and SetColor are in force until the next Pop.
func (s *svgSurface) SetLineWidth(w vg.Length) { s.state().width = w }
func (s *svgSurface) SetLineDash(dashes []vg.Length, off vg.Length) {
	s.state().dashes, s.state().offset = dashes, off
}
func (s *svgSurface) SetColor(c color.Color) { s.state().color = c }

// Push keeps the state, Pop brings it back.
func (s *svgSurface) Push() {
	top := *s.state()
	top.groups = 0
	s.stack = append(s.stack, top)
}

func (s *svgSurface) Pop() {
	s.body.WriteString(strings.Repeat("</g>", s.state().groups))
	s.stack = s.stack[:len(s.stack)-1]
}

// Rotate, Translate and Scale transform what is drawn until the next Pop, about the lower left corner.
func (s *svgSurface) Rotate(angle float64) {
	s.transform("rotate(%s 0 %s)", decimal(-angle*180/math.Pi), decimal(s.height))
}

func (s *svgSurface) Translate(by vg.Point) {
	s.transform("translate(%s %s)", decimal(by.X.Points()), decimal(-by.Y.Points()))
}

func (s *svgSurface) Scale(x, y float64) {
	s.transform("translate(0 %s) scale(%s %s) translate(0 %s)",
		decimal(s.height), decimal(x), decimal(y), decimal(-s.height))
}

func (s *svgSurface) transform(format string, args ...any) {
	s.printf("<g transform=\""+format+"\">", args...)
	s.state().groups++
}

// Stroke and Fill draw a path.
func (s *svgSurface) Stroke(path vg.Path) {
	state := s.state()
	if state.width <= 0 {
		return
	}
	s.printf(`<path fill="none" %s stroke-width="%s"`, paint("stroke", state.color), decimal(state.width.Points()))
	if len(state.dashes) > 0 {
		s.printf(` stroke-dasharray="%s" stroke-dashoffset="%s"`, lengths(state.dashes), decimal(state.offset.Points()))
	}
	s.printf(" d=\"%s\"/>\n", s.pathData(path))
}

func (s *svgSurface) Fill(path vg.Path) {
	s.printf("<path %s d=\"%s\"/>\n", paint("fill", s.state().color), s.pathData(path))
}

// fontFamily begins with the font that the drawing library measures texts with, and others of the same widths.
const fontFamily = "Liberation Sans,Arial,Helvetica,sans-serif"

// FillString writes text. It is anchored at its middle, so that another font's widths move its ends little.
func (s *svgSurface) FillString(face font.Face, at vg.Point, text string) {
	x, y := s.xy(vg.Point{X: at.X + face.Width(text)/2, Y: at.Y})
	weight := ""
	if face.Font.Weight > xfont.WeightNormal {
		weight = ` font-weight="bold"`
	}
	s.printf("<text x=\"%s\" y=\"%s\" text-anchor=\"middle\" font-size=\"%s\"%s %s>%s</text>\n", x, y,
		decimal(face.Font.Size.Points()), weight, paint("fill", s.state().color), html.EscapeString(text))
}

// DrawImage puts a picture into the drawing.
func (s *svgSurface) DrawImage(at vg.Rectangle, img image.Image) {
	var b bytes.Buffer
	// A bytes.Buffer takes everything.
	_ = png.Encode(&b, img)
	x, y := s.xy(vg.Point{X: at.Min.X, Y: at.Max.Y})
	s.printf("<image x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" href=\"data:image/png;base64,%s\"/>\n", x, y,
		decimal(at.Size().X.Points()), decimal(at.Size().Y.Points()), base64.StdEncoding.EncodeToString(b.Bytes()))
}

// xy is where a point of the drawing library lies.
func (s *svgSurface) xy(p vg.Point) (x, y string) {
	return decimal(p.X.Points()), decimal(s.height - p.Y.Points())
}

func (s *svgSurface) pathData(path vg.Path) string {
	var b strings.Builder
	to := func(command string, points ...vg.Point) {
		b.WriteString(command)
		for i, p := range points {
			if i > 0 {
				b.WriteByte(' ')
			}
			x, y := s.xy(p)
			b.WriteString(x + " " + y)
		}
	}
	for _, part := range path {
		switch part.Type {
		case vg.MoveComp:
			to("M", part.Pos)
		case vg.LineComp:
			to("L", part.Pos)
		case vg.ArcComp:
			arc(to, part)
		case vg.CurveComp:
			command := "Q"
			if len(part.Control) == 2 {
				command = "C"
			}
			to(command, slices.Concat(part.Control, []vg.Point{part.Pos})...)
		case vg.CloseComp:
			to("Z")
		}
	}
	return b.String()
}

// arc writes an arc in two halves, since one that ends where it begins would be nothing.
func arc(to func(command string, points ...vg.Point), part vg.PathComp) {
	on := func(angle float64) vg.Point {
		sin, cos := math.Sincos(angle)
		return vg.Point{X: part.Pos.X + part.Radius*vg.Length(cos), Y: part.Pos.Y + part.Radius*vg.Length(sin)}
	}
	sweep := 0 // counter-clockwise, as y goes down
	if part.Angle < 0 {
		sweep = 1
	}
	radius := decimal(part.Radius.Points())
	half := fmt.Sprintf("A%s %s 0 0 %d ", radius, radius, sweep)
	to("L", on(part.Start))
	to(half, on(part.Start+part.Angle/2))
	to(half, on(part.Start+part.Angle))
}

// paint gives a shape its colour and, if it is an ink, its class. property is "fill" or "stroke".
func paint(property string, c color.Color) string {
	if i, ok := c.(*ink); ok {
		return fmt.Sprintf(`class="%c-%s" %s="%s"`, property[0], i.role, property, hexText(i.light))
	}
	return fmt.Sprintf(`%s="%s"`, property, hexText(color.RGBAModel.Convert(c).(rgba)))
}

func lengths(all []vg.Length) string {
	words := make([]string, len(all))
	for i, l := range all {
		words[i] = decimal(l.Points())
	}
	return strings.Join(words, " ")
}

// decimal is x in hundredths, without zeros at the end.
func decimal(x float64) string {
	hundredths := math.Round(x * 100)
	if hundredths == 0 {
		return "0" // not -0
	}
	return strconv.FormatFloat(hundredths/100, 'f', -1, 64)
}

// writeSVG draws c in f as a file of its own, which turns dark with the system of whoever looks at it.
func writeSVG(w io.Writer, c *chart, f frame) error {
	s := newSVGSurface(f)
	drawChart(c, f, s)
	width, height := decimal(f.width.Points()), decimal(f.height.Points())
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %s %s" `+
		`role="img" aria-labelledby="title about" font-family="%s">`+
		"\n<title id=\"title\">%s</title>\n<desc id=\"about\">%s</desc>\n"+
		"<style>@media (prefers-color-scheme:dark){%s}</style>\n%s</svg>\n",
		width, height, width, height, fontFamily, html.EscapeString(c.title), html.EscapeString(c.about),
		darkRules(), s.body.Bytes())
	return err
}
