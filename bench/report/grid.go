package report

import (
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

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
