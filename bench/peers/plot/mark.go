package plot

// Shape is the form of a mark.
type Shape int

// The shapes of marks.
const (
	Disc Shape = iota
	Square
	Triangle
	Diamond
	Cross
	Ring
)

// Style is how what belongs together looks.
type Style struct {
	Ink   Ink
	Shape Shape
}

// Name is a style and what it stands for: a legend is made of them.
type Name struct {
	Style Style
	Text  string
}

const radius = 4.

// mark draws a mark.
func (c *canvas) mark(x, y float64, s Style) {
	at := func(dx, dy float64) string { return number(x+dx*radius) + " " + number(y+dy*radius) }
	switch s.Shape {
	case Disc:
		c.printf("<circle cx=\"%s\" cy=\"%s\" r=\"%s\" %s/>\n", number(x), number(y), number(radius), s.Ink.fill())
	case Ring:
		c.printf("<circle cx=\"%s\" cy=\"%s\" r=\"%s\" fill=\"none\" stroke-width=\"2\" %s/>\n", number(x), number(y),
			number(radius-1), s.Ink.stroke())
	case Square:
		c.printf("<path %s d=\"M%sL%sL%sL%sZ\"/>\n", s.Ink.fill(), at(-.9, -.9), at(.9, -.9), at(.9, .9), at(-.9, .9))
	case Triangle:
		c.printf("<path %s d=\"M%sL%sL%sZ\"/>\n", s.Ink.fill(), at(0, -1.2), at(1.1, .8), at(-1.1, .8))
	case Diamond:
		c.printf("<path %s d=\"M%sL%sL%sL%sZ\"/>\n", s.Ink.fill(), at(0, -1.3), at(1.3, 0), at(0, 1.3), at(-1.3, 0))
	case Cross:
		c.printf("<path fill=\"none\" stroke-width=\"2\" %s d=\"M%sL%sM%sL%s\"/>\n",
			s.Ink.stroke(), at(-.9, -.9), at(.9, .9), at(-.9, .9), at(.9, -.9))
	}
}

// legend writes names with their marks, in as many lines as it takes, the first at y, and says where the next would be.
func (c *canvas) legend(y float64, names []Name) float64 {
	if len(names) == 0 {
		return y
	}
	x := margin
	for _, n := range names {
		wide := 2*radius + 6 + float64(len([]rune(n.Text)))*textSize*letter
		if x > margin && x+wide > width-margin {
			x, y = margin, y+textSize+5
		}
		c.mark(x+radius, y-radius, n.Style)
		c.text(x+2*radius+4, y, start, text, n.Text)
		x += wide + 12
	}
	return y + textSize + 5
}
