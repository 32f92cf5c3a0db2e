package cmd

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"slices"
)

// column is one column of a listing whose rows are of type T.
type column[T any] struct {
	// name is that of the field in JSON and CSV; title stands over the column in tables, and a column without one
	// is for programs only.
	name, title string
	// value is what programs get: a string, a number, a bool, or nil for nothing.
	value func(T) any
	// text is what people get; nil: the value.
	text func(T) string
}

// cell is what people get.
func (c *column[T]) cell(row T) string {
	if c.text != nil {
		return c.text(row)
	}
	return plainText(c.value(row))
}

// plainText is a value as CSV has it.
func plainText(value any) string {
	if value == nil {
		return ""
	}
	return fmt.Sprint(value)
}

// writeListing writes rows in the form asked for. JSON is one array, CSV has a line of names; both are written as the
// rows come. The first error among the rows ends the listing, and is returned when the rows before it are written; if
// there are none, nothing is written.
func writeListing[T any](w io.Writer, format outputFormat, columns []column[T], rows iter.Seq2[T, error]) error {
	switch format {
	case outputJSON:
		return writeJSONRows(w, columns, rows)
	case outputCSV:
		return writeCSVRows(w, columns, rows)
	}
	return writeTableRows(w, format, columns, rows)
}

// allOf gives rows that are known beforehand, none of which is an error.
func allOf[T any](rows []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, row := range rows {
			if !yield(row, nil) {
				return
			}
		}
	}
}

func writeJSONRows[T any](w io.Writer, columns []column[T], rows iter.Seq2[T, error]) error {
	var failed error
	open := "["
	for row, err := range rows {
		if err != nil {
			failed = err
			break
		}
		object, err := jsonObject(columns, row)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s\n%s", open, object); err != nil {
			return err
		}
		open = ","
	}
	end := "\n]\n"
	if open == "[" {
		if failed != nil {
			return failed
		}
		end = "[]\n"
	}
	if _, err := io.WriteString(w, end); err != nil {
		return err
	}
	return failed
}

// jsonObject is a row with its fields in the order of the columns.
func jsonObject[T any](columns []column[T], row T) ([]byte, error) {
	var b bytes.Buffer
	encode := json.NewEncoder(&b)
	encode.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, c := range columns {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%q:", c.name)
		if err := encode.Encode(c.value(row)); err != nil {
			return nil, fmt.Errorf("siftdb: field %s: %w", c.name, err)
		}
		b.Truncate(b.Len() - 1) // the newline of Encode
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func writeCSVRows[T any](w io.Writer, columns []column[T], rows iter.Seq2[T, error]) error {
	out := csv.NewWriter(w)
	line := make([]string, len(columns))
	for i, c := range columns {
		line[i] = c.name
	}
	// Write's errors come back from Error.
	_ = out.Write(line)
	var failed error
	written := 0
	for row, err := range rows {
		if err != nil {
			failed = err
			break
		}
		written++
		for i, c := range columns {
			line[i] = plainText(c.value(row))
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	if failed != nil && written == 0 {
		return failed // the line of names is not out yet
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return err
	}
	return failed
}

// gridChunk is how many rows of a table are laid out together: the first chunk decides how wide columns are, and no
// more rows are held in memory.
const gridChunk = 1000

func writeTableRows[T any](w io.Writer, format outputFormat, columns []column[T], rows iter.Seq2[T, error]) error {
	columns = slices.DeleteFunc(slices.Clone(columns), func(c column[T]) bool { return c.title == "" })
	g := grid{right: make([]bool, len(columns))}
	for _, c := range columns {
		g.titles = append(g.titles, c.title)
	}
	var failed error
	for row, err := range rows {
		if err != nil {
			failed = err
			break
		}
		cells := make([]string, len(columns))
		for i, c := range columns {
			cells[i] = c.cell(row)
			g.right[i] = g.right[i] || isNumber(c.value(row)) && startsWithDigit(cells[i])
		}
		g.rows = append(g.rows, cells)
		if len(g.rows) == gridChunk {
			if err := g.write(w, format); err != nil {
				return err
			}
		}
	}
	if len(g.rows) > 0 || len(g.titles) > 0 && failed == nil {
		if err := g.write(w, format); err != nil {
			return err
		}
	}
	return failed
}

func isNumber(value any) bool {
	switch value.(type) {
	case int, int64, uint64, float64:
		return true
	}
	return false
}

func startsWithDigit(text string) bool { return text != "" && text[0] >= '0' && text[0] <= '9' }
