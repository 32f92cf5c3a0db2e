package compare

import (
	"fmt"
	"io"
	"strings"
)

// table is a Markdown table; its first row is its head.
type table struct{ rows [][]string }

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// write writes the table, its first column to the left, all others to the right.
func (t *table) write(out io.Writer) error {
	widths := make([]int, len(t.rows[0]))
	for _, row := range t.rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	rule := make([]string, len(widths))
	for i, width := range widths {
		rule[i] = strings.Repeat("-", width)
		if i > 0 {
			rule[i] = strings.Repeat("-", max(0, width-1)) + ":"
		}
	}
	for n, row := range t.rows {
		if err := writeLine(out, row, widths); err != nil {
			return err
		}
		if n > 0 {
			continue
		}
		if err := writeLine(out, rule, widths); err != nil {
			return err
		}
	}
	return nil
}

func writeLine(out io.Writer, cells []string, widths []int) error {
	var line strings.Builder
	for i, cell := range cells {
		pad := strings.Repeat(" ", widths[i]-len([]rune(cell)))
		if i == 0 {
			line.WriteString("| " + cell + pad + " ")
		} else {
			line.WriteString("| " + pad + cell + " ")
		}
	}
	_, err := fmt.Fprintln(out, line.String()+"|")
	return err
}

// short is a number with three digits that count.
func short(v float64) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	case v >= 1:
		return fmt.Sprintf("%.2f", v)
	case v < 0.0005:
		return "0"
	}
	return fmt.Sprintf("%.3f", v)
}

// String is the median, and the least and the most of the repetitions if there were several.
func (s spread) String() string {
	if s.low == s.high {
		return short(s.median)
	}
	return fmt.Sprintf("%s (%s–%s)", short(s.median), short(s.low), short(s.high))
}
