package plot

import "io"

// Dots is a picture of rows, each with marks on the same scale.
type Dots struct {
	Title  string
	About  string // says what to see in it
	Unit   string // of the scale
	Source string // where the figures come from
	Legend []Name
	Line   float64 // a value with a line through all rows; 0: none
	Rows   []Row
}

// Row is a row of marks. Its words stand above them.
type Row struct {
	Text  string
	Note  string // at the right
	Marks []Mark
	Span  []float64 // a line from the first to the last of these, in the ink of the first mark
	Goal  float64   // a stroke across the row; 0: none
}

// Mark is a value in a row.
type Mark struct {
	Style Style
	Value float64
}

const (
	rowWords = 12. // from one row's middle to the words of the next
	rowStep  = 29.
)

// Write writes the picture as SVG.
func (d *Dots) Write(w io.Writer) error {
	c := &canvas{}
	c.title(margin+titleSize, d.Title)
	y := c.paragraph(margin+titleSize+20, quiet, d.About)
	y = c.legend(y+4, d.Legend)
	s := newScale(d.values(), margin+radius, width-margin-radius)
	top := y + 4
	bottom := top + rowStep*float64(len(d.Rows)) + 4
	d.grid(c, s, top, bottom)
	for i, r := range d.Rows {
		d.row(c, s, top+rowStep*float64(i+1)-8, r)
	}
	c.text(width/2, bottom+30, middle, quiet, d.Unit)
	end := c.paragraph(bottom+48, quiet, d.Source)
	return c.save(w, d.Title, d.About, end)
}

func (d *Dots) values() (all []float64) {
	for _, r := range d.Rows {
		all = append(append(all, r.Span...), r.Goal)
		for _, m := range r.Marks {
			all = append(all, m.Value)
		}
	}
	return append(all, d.Line)
}

func (d *Dots) grid(c *canvas, s scale, top, bottom float64) {
	for _, v := range s.ticks(9) {
		c.line(s.at(v), top, s.at(v), bottom, 1, grid)
		c.text(s.at(v), bottom+14, middle, quiet, plain(v))
	}
	if d.Line > 0 {
		c.line(s.at(d.Line), top, s.at(d.Line), bottom, 2, Blue)
	}
}

func (d *Dots) row(c *canvas, s scale, y float64, r Row) {
	c.text(margin, y-rowWords+2, start, text, r.Text)
	c.text(width-margin, y-rowWords+2, end, quiet, r.Note)
	c.line(margin, y, width-margin, y, 1, grid)
	if r.Goal > 0 {
		c.line(s.at(r.Goal), y-6, s.at(r.Goal), y+6, 2, text)
	}
	if len(r.Span) > 1 && len(r.Marks) > 0 {
		c.line(s.at(r.Span[0]), y, s.at(r.Span[len(r.Span)-1]), y, 2, r.Marks[0].Style.Ink)
	}
	for _, m := range r.Marks {
		if m.Value > 0 {
			c.mark(s.at(m.Value), y, m.Style)
		}
	}
}
