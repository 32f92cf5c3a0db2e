package cmd

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// grid is a table of text.
type grid struct {
	titles  []string // none: a table without a head
	rows    [][]string
	numeric []bool // columns that are set to the right
}

func (g *grid) write(w io.Writer, format outputFormat) error {
	t := table.NewWriter()
	if len(g.titles) > 0 {
		t.AppendHeader(tableRow(g.titles))
	}
	for _, cells := range g.rows {
		t.AppendRow(tableRow(cells))
	}
	var configs []table.ColumnConfig
	for i, numeric := range g.numeric {
		if numeric {
			configs = append(configs, table.ColumnConfig{Number: i + 1, Align: text.AlignRight, AlignHeader: text.AlignRight})
		}
	}
	t.SetColumnConfigs(configs)
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

func tableRow(cells []string) table.Row {
	row := make(table.Row, len(cells))
	for i, cell := range cells {
		row[i] = cell
	}
	return row
}

// trimLines takes away the blanks that fill up a table's last column.
func trimLines(table string) string {
	lines := strings.Split(table, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}
