package report

import (
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

func box(x0, y0, x1, y1 vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: x0, Y: y0}, Max: vg.Point{X: x1, Y: y1}}
}

func TestLabelsKeepClear(t *testing.T) {
	c := draw.Canvas{Rectangle: box(0, 0, 100, 100)}
	l := &labeller{taken: []vg.Rectangle{box(40, 40, 60, 60)}}
	l.keepLineClear(vg.Point{X: 0, Y: 90}, vg.Point{X: 100, Y: 90})
	for _, try := range []struct {
		name string
		box  vg.Rectangle
		free bool
	}{
		{"room", box(10, 10, 30, 20), true},
		{"touching", box(60, 40, 80, 60), true},
		{"over a mark", box(50, 50, 70, 70), false},
		{"around a mark", box(30, 30, 70, 70), false},
		{"over a line", box(70, 85, 90, 95), false},
		{"out to the left", box(-1, 10, 20, 20), false},
		{"out to the right", box(90, 10, 110, 20), false},
		{"below the axis", box(10, -1, 20, 9), false},
	} {
		if got := l.free(&c, try.box); got != try.free {
			t.Errorf("%s: free is %v", try.name, got)
		}
	}
}
