package plot

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"math"
	"strconv"
)

const (
	width  = 400. // of each picture
	margin = 10.

	titleSize = 14.
	textSize  = 11.
	// letter is about how wide a letter is, by the size of the text: no font is at hand here to be asked.
	letter = 0.51
)

// canvas collects shapes. Its y goes down.
type canvas struct{ body bytes.Buffer }

func (c *canvas) printf(format string, args ...any) { fmt.Fprintf(&c.body, format, args...) }

// anchor is which end of a text lies at the place that is given for it.
type anchor string

const (
	start  anchor = "start"
	middle anchor = "middle"
	end    anchor = "end"
)

func (c *canvas) text(x, y float64, a anchor, i Ink, words string) {
	anchored := ""
	if a != start {
		anchored = fmt.Sprintf(` text-anchor="%s"`, a)
	}
	c.printf("<text x=\"%s\" y=\"%s\"%s %s>%s</text>\n", number(x), number(y), anchored, i.fill(),
		html.EscapeString(words))
}

func (c *canvas) title(y float64, words string) {
	c.printf("<text x=\"%s\" y=\"%s\" font-size=\"%s\" font-weight=\"bold\" %s>%s</text>\n", number(margin), number(y),
		number(titleSize), text.fill(), html.EscapeString(words))
}

func (c *canvas) line(x1, y1, x2, y2, thickness float64, i Ink) {
	wide := ""
	if thickness != 1 {
		wide = fmt.Sprintf(` stroke-width="%s"`, number(thickness))
	}
	c.printf("<path %s%s d=\"M%s %sL%s %s\"/>\n", i.stroke(), wide, number(x1), number(y1), number(x2), number(y2))
}

// paragraph writes words in lines that fit the picture, the first at y, and says where the next one would be.
func (c *canvas) paragraph(y float64, i Ink, words string) float64 {
	fit := (width - 2*margin) / (textSize * letter)
	for _, line := range wrap(words, int(math.Floor(fit))) {
		c.text(margin, y, start, i, line)
		y += textSize + 3
	}
	return y
}

// wrap breaks words into lines of up to so many letters.
func wrap(words string, letters int) (lines []string) {
	rest := []rune(words)
	for len(rest) > letters {
		at := letters
		for at > 0 && rest[at] != ' ' {
			at--
		}
		if at == 0 {
			lines, rest = append(lines, string(rest[:letters])), rest[letters:]
			continue
		}
		lines, rest = append(lines, string(rest[:at])), rest[at+1:]
	}
	return append(lines, string(rest))
}

// save writes the picture as a file of its own.
func (c *canvas) save(w io.Writer, title, about string, height float64) error {
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %s %s" `+
		`role="img" aria-labelledby="title about" `+
		"font-family=\"Liberation Sans,Arial,Helvetica,sans-serif\" font-size=\"%s\">\n"+
		"<title id=\"title\">%s</title>\n<desc id=\"about\">%s</desc>\n"+
		"<style>%s\n@media (prefers-color-scheme:dark){%s}</style>\n"+
		"<path %s d=\"M0 0H%sV%sH0Z\"/>\n%s</svg>\n",
		number(width), number(height), number(width), number(height), number(textSize), html.EscapeString(title),
		html.EscapeString(about),
		rules(func(i Ink) string { return i.light }), rules(func(i Ink) string { return i.dark }),
		paper.fill(), number(width), number(height), c.body.Bytes())
	return err
}

// number is x in tenths, so that a picture is the same on every machine and small.
func number(x float64) string { return strconv.FormatFloat(math.Round(x*10)/10+0, 'f', -1, 64) }
