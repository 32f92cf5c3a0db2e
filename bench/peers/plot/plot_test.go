package plot

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
)

// wellFormed reads a picture to its end and counts its elements.
func wellFormed(t *testing.T, drawn string) map[string]int {
	t.Helper()
	count := make(map[string]int)
	for d := xml.NewDecoder(strings.NewReader(drawn)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return count
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, drawn)
		}
		if e, ok := token.(xml.StartElement); ok {
			count[e.Name.Local]++
		}
	}
}

// TestDots: each mark is drawn, and words are escaped.
func TestDots(t *testing.T) {
	d := &Dots{Title: "a < b", About: strings.Repeat("words & ", 30), Unit: "µs", Source: "here", Line: 1, Legend: []Name{{Style{Blue, Disc}, "one"}}}
	for _, v := range []float64{0.01, 1, 250} {
		d.Rows = append(d.Rows, Row{Text: "row", Goal: 0.5, Marks: []Mark{{Style{Blue, Disc}, v}, {Style{Green, Ring}, 2 * v}, {Style{Ochre, Disc}, 0}}})
	}
	var b strings.Builder
	if err := d.Write(&b); err != nil {
		t.Fatal(err)
	}
	if n := wellFormed(t, b.String())["circle"]; n != 7 { // three rows of two, and the legend; 0 has no place
		t.Errorf("%d circles", n)
	}
	if strings.Contains(b.String(), "NaN") || strings.Contains(b.String(), "Inf") {
		t.Error(b.String())
	}
}

// TestCurves: panels with and without values, each mark once.
func TestCurves(t *testing.T) {
	p := &Curves{Title: "t", X: "x", Ticks: []Tick{{1, "1"}, {10, "10"}}, Panels: []Panel{
		{Title: "full", Curves: []Curve{
			{Style: Style{Blue, Disc}, Points: []Point{{1, 2}, {10, 3}}},
			{Style: Style{Blue, Disc}, Marked: Unmarked, Points: []Point{{1, 2}, {10, 3}}},
		}},
		{Title: "empty"},
	}}
	var b strings.Builder
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	if n := wellFormed(t, b.String())["circle"]; n != 2 {
		t.Errorf("%d circles", n)
	}
	if strings.Contains(b.String(), "NaN") {
		t.Error(b.String())
	}
}

// TestScale: ends are inside, ticks are within and not too many.
func TestScale(t *testing.T) {
	for _, values := range [][]float64{{1}, {0.001, 1e6}, {3, 3.1}, {1e-9, 1e9}, {0}, nil} {
		s := newScale(values, 10, 390)
		for _, v := range values {
			if v > 0 && (s.at(v) < 10 || s.at(v) > 390) {
				t.Errorf("%v is at %v", v, s.at(v))
			}
		}
		ticks := s.ticks(6)
		if len(ticks) > 6 || slices.ContainsFunc(ticks, func(v float64) bool { return v < s.low || v > s.high || math.IsNaN(v) }) {
			t.Errorf("ticks of %v: %v", values, ticks)
		}
	}
}

// TestWrap: lines fit, and no word is lost.
func TestWrap(t *testing.T) {
	const words = "some words and averyverylongoneindeed at the end"
	lines := wrap(words, 10)
	for _, l := range lines {
		if len(l) > 10 {
			t.Errorf("%q is too long", l)
		}
	}
	if got := strings.ReplaceAll(strings.Join(lines, ""), " ", ""); got != strings.ReplaceAll(words, " ", "") {
		t.Errorf("%q", lines)
	}
}
