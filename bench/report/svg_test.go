package report

import (
	"image"
	"image/color"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

// TestSVGSurface draws what charts do not, too: a surface takes all that the drawing library may ask of it.
func TestSVGSurface(t *testing.T) {
	var triangle vg.Path
	triangle.Move(vg.Point{X: 10, Y: 10})
	triangle.Line(vg.Point{X: 20, Y: 10.126})
	triangle.Close()
	var curves vg.Path
	curves.Move(vg.Point{X: 1, Y: 99})
	curves.QuadTo(vg.Point{X: 2, Y: 98}, vg.Point{X: 3, Y: 97})
	curves.CubeTo(vg.Point{X: 4, Y: 96}, vg.Point{X: 5, Y: 95}, vg.Point{X: 6, Y: 94})
	var circle vg.Path
	circle.Move(vg.Point{X: 15, Y: 50})
	circle.Arc(vg.Point{X: 10, Y: 50}, 5, 0, 2*math.Pi)
	for _, c := range []struct {
		name string
		draw func(s *svgSurface)
		want string
	}{
		{"a shape in an ink", func(s *svgSurface) { s.SetColor(inkBlue); s.Fill(triangle) },
			`<path class="f-blue" fill="#0072b2" d="M10 90L20 89.87Z"/>`},
		{"a shape in another colour", func(s *svgSurface) { s.SetColor(color.White); s.Fill(triangle) },
			`<path fill="#ffffff" d="`},
		{"a dashed line", func(s *svgSurface) { s.SetLineDash([]vg.Length{5, 3}, 1); s.Stroke(triangle) },
			`<path fill="none" stroke="#000000" stroke-width="1" stroke-dasharray="5 3" stroke-dashoffset="1" d="`},
		{"a line of no width", func(s *svgSurface) { s.SetLineWidth(0); s.Stroke(triangle) }, ""},
		{"curves", func(s *svgSurface) { s.Fill(curves) }, `d="M1 1Q2 2 3 3C4 4 5 5 6 6"`},
		{"a circle", func(s *svgSurface) { s.Fill(circle) }, `d="M15 50L15 50A5 5 0 0 0 5 50A5 5 0 0 0 15 50"`},
		{"turned", func(s *svgSurface) { s.Push(); s.Rotate(math.Pi / 2); s.Fill(triangle); s.Pop(); s.Fill(triangle) },
			"<g transform=\"rotate(-90 0 100)\"><path fill=\"#000000\" d=\"M10 90L20 89.87Z\"/>\n</g><path fill=\"#000000\""},
		{"moved and scaled", func(s *svgSurface) { s.Push(); s.Translate(vg.Point{X: 3, Y: 4}); s.Scale(2, 3); s.Pop() },
			`<g transform="translate(3 -4)"><g transform="translate(0 100) scale(2 3) translate(0 -100)"></g></g>`},
		{"colours come back", func(s *svgSurface) { s.Push(); s.SetColor(inkBlue); s.Pop(); s.Fill(triangle) },
			`<path fill="#000000"`},
		{"an image", func(s *svgSurface) {
			s.DrawImage(vg.Rectangle{Min: vg.Point{X: 1, Y: 2}, Max: vg.Point{X: 11, Y: 22}}, image.NewRGBA(image.Rect(0, 0, 1, 1)))
		}, `<image x="1" y="78" width="10" height="20" href="data:image/png;base64,`},
		{"a point with a tip", func(s *svgSurface) { s.beginPoint([]string{"a < b", "1"}); s.end() },
			"<g class=\"point\"><title>a &lt; b\n1</title></g>"},
	} {
		s := newSVGSurface(frame{width: 100, height: 100})
		c.draw(s)
		if got := s.body.String(); !strings.HasPrefix(got, c.want) && !strings.Contains(got, c.want) ||
			(c.want == "" && got != "") {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		checkXML(t, c.name, "<svg>"+s.body.String()+"</svg>")
	}
}

func TestDecimal(t *testing.T) {
	for x, want := range map[float64]string{0: "0", -0.001: "0", 1: "1", 1.005: "1", 1.006: "1.01", 12.5: "12.5",
		-3.14159: "-3.14"} {
		if got := decimal(x); got != want {
			t.Errorf("%g: %s, want %s", x, got, want)
		}
	}
}
