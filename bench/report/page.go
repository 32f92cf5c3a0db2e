package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/dustin/go-humanize"

	"siftdb/bench"
)

var (
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	pageCSS string
	//go:embed page.js
	pageJS string
)

// WritePage writes r as one HTML file, which needs no other and asks for none.
func WritePage(w io.Writer, r *bench.Result) error {
	page, err := template.New("page").Parse(pageHTML)
	if err != nil {
		return err
	}
	return page.Execute(w, pageOf(r))
}

// page is what page.html is filled with.
type page struct {
	Headline   string
	Style      template.CSS
	Script     template.JS
	Facts      []pageFact
	Warnings   []string
	Figures    []figure
	Tables     []pageTable
	TableReads string
}

type pageFact struct{ Name, Text string }

// figure is a chart in the page: drawn for a wide and for a narrow screen.
type figure struct {
	Name, Title, About string
	Legend             []legendEntry
	Wide, Phone        template.HTML
	Values             pageTable
}

type legendEntry struct {
	Name   string
	Swatch template.HTML
}

type pageTable struct {
	Title   string
	Columns []string
	Rows    [][]string
	Notes   []string
}

func pageOf(r *bench.Result) *page {
	p := &page{
		Headline:   headline(r),
		Style:      template.CSS(pageStyle()),
		Script:     template.JS(pageJS),
		Warnings:   r.Warnings,
		TableReads: humanize.Comma(r.ProcessTableReads),
	}
	for _, f := range factsOf(r) {
		p.Facts = append(p.Facts, pageFact{f.name, f.text})
	}
	if r.Interrupted {
		p.Facts = append(p.Facts, pageFact{"rows", interruptedText})
	}
	charts := chartsOf(r)
	for i := range charts {
		p.Figures = append(p.Figures, figureOf(&charts[i]))
	}
	for _, g := range gridsOf(r) {
		p.Tables = append(p.Tables, tableOf(g))
	}
	return p
}

func figureOf(c *chart) figure {
	f := figure{
		Name: c.name, Title: c.title, About: c.about,
		Wide: inlineSVG(c, frameWide, "wide"), Phone: inlineSVG(c, framePhone, "phone"),
		Values: tableOf(c.values),
	}
	for i := range c.series {
		f.Legend = append(f.Legend, legendEntry{c.series[i].name, template.HTML(swatchSVG(&c.series[i]))})
	}
	return f
}

// inlineSVG draws c for the page. kind is the class of drawings of this size.
func inlineSVG(c *chart, f frame, kind string) template.HTML {
	s := newSVGSurface(f)
	drawChart(c, f, s)
	id := c.name + "-" + kind
	return template.HTML(fmt.Sprintf(`<svg class="drawing %s" viewBox="0 0 %s %s" role="img" `+
		`aria-labelledby="%s-title %s-about">`+
		"\n<title id=\"%s-title\">%s</title>\n<desc id=\"%s-about\">%s</desc>\n%s</svg>", kind,
		decimal(f.width.Points()), decimal(f.height.Points()), id, id,
		id, template.HTMLEscapeString(c.title), id, template.HTMLEscapeString(c.about), s.body.Bytes()))
}

func tableOf(g grid) pageTable {
	return pageTable{Title: g.title, Columns: g.columns, Rows: g.rows, Notes: g.notes}
}

// pageStyle is page.css with the colours put in.
func pageStyle() string {
	return strings.NewReplacer(
		"/*light*/", inkVariables(func(i *ink) rgba { return i.light }),
		"/*dark*/", inkVariables(func(i *ink) rgba { return i.dark }),
		"/*inks*/", inkRules(),
	).Replace(pageCSS)
}
