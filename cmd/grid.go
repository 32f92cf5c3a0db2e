package cmd

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// grid is a table of text that may be written piece by piece.
type grid struct {
	titles []string   // none: a table without a head, or one whose head is written
	rows   [][]string // not yet written
	right  []bool     // columns that are set to the right
	widths []int      // of the columns in what is written
}

// write writes the rows, under the head the first time, and lets go of them.
func (g *grid) write(w io.Writer, format outputFormat) error {
	t := table.NewWriter()
	if len(g.titles) > 0 {
		t.AppendHeader(g.row(g.titles))
	}
	for _, cells := range g.rows {
		t.AppendRow(g.row(cells))
	}
	t.SetColumnConfigs(g.columns())
	g.titles, g.rows = nil, g.rows[:0]
	rendered := ""
	if format == outputMarkdown {
		rendered = t.RenderMarkdown()
	} else {
		style := table.StyleLight
		style.Format.Header = text.FormatDefault
		style.Options = table.OptionsNoBordersAndSeparators
		style.Box.PaddingLeft, style.Box.PaddingRight = "", "  "
		t.SetStyle(style)
		rendered = trimLines(t.Render())
	}
	_, err := fmt.Fprintln(w, rendered)
	return err
}

// row takes a line in, and notes how wide it makes the columns.
func (g *grid) row(cells []string) table.Row {
	row := make(table.Row, len(cells))
	for i, cell := range cells {
		if i == len(g.widths) {
			g.widths = append(g.widths, 0)
		}
		g.widths[i] = max(g.widths[i], text.StringWidthWithoutEscSequences(cell))
		row[i] = cell
	}
	return row
}

func (g *grid) columns() []table.ColumnConfig {
	configs := make([]table.ColumnConfig, len(g.widths))
	for i, width := range g.widths {
		configs[i] = table.ColumnConfig{Number: i + 1, WidthMin: width}
		if i < len(g.right) && g.right[i] {
			configs[i].Align, configs[i].AlignHeader = text.AlignRight, text.AlignRight
		}
	}
	return configs
}

// trimLines takes away the blanks that fill up a table's last column.
func trimLines(table string) string {
	lines := strings.Split(table, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}
