package bench

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// WriteTable writes r for people: header, warnings, and tables that fit a wide terminal.
func (r *Result) WriteTable(w io.Writer) error {
	d := &document{w: w, render: renderTerminal, section: "%s\n"}
	d.write(r)
	return d.err
}

// WriteMarkdown writes r as Markdown.
func (r *Result) WriteMarkdown(w io.Writer) error {
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

func (d *document) write(r *Result) {
	d.printf(d.section, "siftdb bench")
	d.list(headerLines(r))
	if len(r.Warnings) > 0 {
		d.printf(d.section, "Warnings")
		d.list(r.Warnings)
	}
	for _, g := range []grid{mainGrid(r), presentGrid(r), comparedGrid(r)} {
		if len(g.rows) == 0 {
			continue
		}
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

// grid is a table before it is rendered: all cells are text, all columns but the first are numbers.
type grid struct {
	title   string
	columns []string
	rows    [][]string
	notes   []string
}

func (g *grid) writer(column func(string) string) table.Writer {
	t := table.NewWriter()
	header := make(table.Row, len(g.columns))
	configs := make([]table.ColumnConfig, len(g.columns))
	for i, name := range g.columns {
		header[i] = column(name)
		configs[i] = table.ColumnConfig{Number: i + 1, Align: text.AlignRight, AlignHeader: text.AlignRight}
	}
	t.AppendHeader(header)
	t.SetColumnConfigs(configs)
	for _, cells := range g.rows {
		row := make(table.Row, len(cells))
		for i, cell := range cells {
			row[i] = cell
		}
		t.AppendRow(row)
	}
	return t
}

func renderTerminal(g grid) string {
	t := g.writer(func(name string) string { return strings.Replace(name, " ", "\n", 1) })
	style := table.StyleLight
	style.Format.Header = text.FormatDefault
	style.Options.DrawBorder = false
	style.Options.SeparateColumns = false
	t.SetStyle(style)
	t.SuppressTrailingSpaces()
	return t.Render()
}

func renderMarkdown(g grid) string {
	return g.writer(func(name string) string { return name }).RenderMarkdown()
}

func headerLines(r *Result) []string {
	h, s := &r.Header, &r.Settings
	lines := []string{
		fmt.Sprintf("siftdb %s, %s %s/%s, %s", h.Version, h.Go, h.OS, h.Arch, h.Date.Format(time.RFC3339)),
		fmt.Sprintf("CPU: %s, %d cores; memory: %s; file system: %s", h.CPU, h.Cores, size(h.MemoryBytes), h.FileSystem),
	}
	if len(h.CommandLine) > 0 {
		lines = append(lines, "command: "+strings.Join(h.CommandLine, " "))
	}
	lines = append(lines,
		fmt.Sprintf("keys: %s present, %s absent; %s; %s with values; seed %d",
			humanize.Comma(int64(s.PresentKeys)), humanize.Comma(int64(s.AbsentKeys)), s.Keys, size(s.DataBytes), s.Seed),
		fmt.Sprintf("store: %s; %s", layoutText(s), s.Sync),
		fmt.Sprintf("reads: %s; %s; each table is opened before lookups are counted; one lookup at a time", cacheText(s), deviceText(s)),
	)
	if r.Interrupted {
		lines = append(lines, "interrupted: only the rows that were done by then")
	}
	return lines
}

func layoutText(s *Settings) string {
	if s.Layout == Overlap {
		return fmt.Sprintf("%d tables over each other, no compaction", s.Tables)
	}
	return fmt.Sprintf("%s, memtable %s, tables %s", s.Layout, size(s.MemTableSize), size(s.TableSize))
}

func cacheText(s *Settings) string {
	if s.CacheSize == 0 {
		return "no block cache, so each block that a lookup needs is a disk read"
	}
	return "block cache " + size(s.CacheSize)
}

func deviceText(s *Settings) string {
	var parts []string
	if s.DeviceLatency > 0 {
		parts = append(parts, fmt.Sprintf("%v added to each", s.DeviceLatency))
	}
	if s.Cold {
		parts = append(parts, "the system's cache dropped before each phase")
	}
	if len(parts) == 0 {
		return "no latency added"
	}
	return strings.Join(parts, ", ")
}

func mainGrid(r *Result) grid {
	g := grid{
		title: "Filters and absent keys",
		columns: []string{"bits asked", "filter MiB", "true bits/key", "rate theory", "rate measured (95 %)",
			"lookups made", "tables checked", "reads /absent", "reads /present", "reads skipped", "skipped %",
			"p50", "p99", "p99.9", "lookups /s"},
	}
	for i := range r.Rows {
		row := &r.Rows[i]
		f, a, p := &row.Filter, &row.Absent, &row.Present
		g.rows = append(g.rows, append([]string{
			row.Bits.String(), mebibytes(f.Bytes), fmt.Sprintf("%.2f", f.BitsPerKey), theory(f), measured(f),
			humanize.Comma(a.Lookups), fmt.Sprintf("%.2f", a.perLookup(a.TablesChecked)), perLookupText(a), perLookupText(p),
			humanize.Comma(a.ReadsSkipped), percent(a.skippedShare()),
		}, latencyCells(a)...))
		if f.OutsideTheory {
			g.notes = []string{"! measured is outside 4 standard deviations of theory"}
		}
	}
	if len(g.rows) > 0 {
		g.notes = append(g.notes, "Tables checked and reads are a lookup's. Lookups, skipped reads and times are those of absent keys.",
			"Skipped % is of the reads that the lookups would have needed without filters.")
	}
	return g
}

func presentGrid(r *Result) grid {
	g := grid{
		title: "Present keys",
		columns: []string{"bits asked", "lookups made", "tables checked", "disk reads", "reads skipped", "skipped %",
			"p50", "p99", "p99.9", "lookups /s"},
	}
	for i := range r.Rows {
		p := &r.Rows[i].Present
		g.rows = append(g.rows, append([]string{
			r.Rows[i].Bits.String(), humanize.Comma(p.Lookups), fmt.Sprintf("%.2f", p.perLookup(p.TablesChecked)),
			perLookupText(p), humanize.Comma(p.ReadsSkipped), percent(p.skippedShare()),
		}, latencyCells(p)...))
	}
	return g
}

func comparedGrid(r *Result) grid {
	g := grid{
		title: "Filters on beside filters off, same files, taking turns",
		columns: []string{"bits asked", "keys", "lookups each", "reads on", "reads off", "reads off/on",
			"p50 on", "p50 off", "lookups/s on", "lookups/s off", "speed on/off", "rounds' range"},
	}
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Compared == nil {
			continue
		}
		for _, side := range []struct {
			name string
			*OnOff
		}{{"absent", &row.Compared.Absent}, {"present", &row.Compared.Present}} {
			ratio := "all saved"
			if side.ReadsRatio != nil {
				ratio = factor(*side.ReadsRatio)
			}
			g.rows = append(g.rows, []string{
				row.Bits.String(), side.name, humanize.Comma(side.On.Lookups),
				perLookupText(&side.On), perLookupText(&side.Off), ratio,
				duration(side.On.Latency.P50), duration(side.Off.Latency.P50),
				perSecond(&side.On.Latency), perSecond(&side.Off.Latency),
				factor(side.SpeedRatio), factor(side.SpeedLow) + " – " + factor(side.SpeedHigh),
			})
		}
	}
	return g
}

func latencyCells(p *Phase) []string {
	p999 := "–"
	if p.Lookups >= fewestLookups {
		p999 = duration(p.Latency.P999)
	}
	return []string{duration(p.Latency.P50), duration(p.Latency.P99), p999, perSecond(&p.Latency)}
}
