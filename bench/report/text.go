package report

import (
	"fmt"
	"io"

	"github.com/dustin/go-humanize"

	"siftdb/bench"
)

// WriteTable writes r for a terminal: header, warnings, and tables that fit a wide one.
func WriteTable(w io.Writer, r *bench.Result) error {
	d := &document{w: w, render: renderTerminal, section: "%s\n"}
	d.write(r)
	return d.err
}

// WriteMarkdown writes r as Markdown.
func WriteMarkdown(w io.Writer, r *bench.Result) error {
	d := &document{w: w, render: renderMarkdown, section: "## %s\n\n", item: "* "}
	d.write(r)
	return d.err
}

// document writes a result part by part. The first error ends it.
type document struct {
	w       io.Writer
	render  func(grid) string
	section string // how a section begins
	item    string // before a line of a list
	err     error
}

func (d *document) printf(format string, args ...any) {
	if d.err == nil {
		_, d.err = fmt.Fprintf(d.w, format, args...)
	}
}

func (d *document) list(lines []string) {
	for _, l := range lines {
		d.printf("%s%s\n", d.item, l)
	}
	d.printf("\n")
}

func (d *document) write(r *bench.Result) {
	d.printf(d.section, "siftdb bench")
	d.list(headerLines(r))
	if len(r.Warnings) > 0 {
		d.printf(d.section, "Warnings")
		d.list(r.Warnings)
	}
	for _, g := range gridsOf(r) {
		d.printf(d.section, g.title)
		d.printf("%s\n\n", d.render(g))
		for _, note := range g.notes {
			d.printf("%s\n", note)
		}
		if len(g.notes) > 0 {
			d.printf("\n")
		}
	}
	d.printf("Reads of table files in the whole run, loading included: %s\n", humanize.Comma(r.ProcessTableReads))
}
