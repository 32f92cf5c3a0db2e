package cmd

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"testing"

	"siftdb/db"
)

// jsonRows runs a command with -o json and gives its rows.
func jsonRows(t *testing.T, dir, line string) (rows []map[string]any) {
	t.Helper()
	stdout, stderr, code := run(t, dir, line+" -o json")
	if code != ExitOK {
		t.Fatalf("siftdb %s: exit code %d, %s", line, code, stderr)
	}
	if err := json.Unmarshal([]byte(stdout), &rows); err != nil {
		t.Fatalf("siftdb %s: %v in %s", line, err, stdout)
	}
	return rows
}

// TestFormsAgree: a listing has the same rows and fields in each form for programs.
func TestFormsAgree(t *testing.T) {
	dir := fruit(t)
	for _, line := range []string{"tables", "filters", "verify"} {
		rows := jsonRows(t, dir, line+" -d DIR")
		stdout, _, _ := run(t, dir, line+" -d DIR -o csv")
		lines, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
		if err != nil || len(lines) != len(rows)+1 {
			t.Fatalf("%s: %d lines for %d rows, %v", line, len(lines), len(rows), err)
		}
		for i, row := range rows {
			if len(row) != len(lines[0]) {
				t.Errorf("%s: %d fields in JSON, %d in CSV", line, len(row), len(lines[0]))
			}
			for j, name := range lines[0] {
				if value, there := row[name]; !there || value == nil != (lines[i+1][j] == "") {
					t.Errorf("%s: field %s is %v in JSON and %q in CSV", line, name, value, lines[i+1][j])
				}
			}
		}
		markdown, _, _ := run(t, dir, line+" -d DIR -o markdown")
		if n := strings.Count(markdown, "\n"); n != len(rows)+2 || !strings.Contains(markdown, "| ---") {
			t.Errorf("%s: %d lines of Markdown for %d rows: %s", line, n, len(rows), markdown)
		}
	}
}

// TestLongTables: a table of several chunks has one head, and columns as wide as those before them.
func TestLongTables(t *testing.T) {
	const n = 2*gridChunk + 5
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = n - 1 - i
	}
	columns := []column[int]{
		{name: "number", title: "number", value: func(i int) any { return i }},
		{name: "again", title: "again", value: func(i int) any { return fmt.Sprint("=", i) }},
		{name: "double", value: func(i int) any { return 2 * i }},
	}
	for format, headLines := range map[outputFormat]int{outputTable: 1, outputMarkdown: 2} {
		var out strings.Builder
		if err := writeListing(&out, format, columns, allOf(numbers)); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if len(lines) != n+headLines || strings.Count(out.String(), "number") != 1 {
			t.Errorf("%s: %d lines", format, len(lines))
		}
		if format == outputMarkdown {
			continue
		}
		for i, line := range lines[1:] {
			if want := fmt.Sprintf("%6d  =%d", n-1-i, n-1-i); line != want {
				t.Fatalf("line %d is %q, want %q", i, line, want)
			}
		}
	}
}

// TestListingsThatFail: rows before the error are written, and nothing where there are none.
func TestListingsThatFail(t *testing.T) {
	columns := []column[int]{{name: "n", title: "n", value: func(i int) any { return i }}}
	failing := func(rows int) iter.Seq2[int, error] {
		return func(yield func(int, error) bool) {
			for i := range rows {
				if !yield(i, nil) {
					return
				}
			}
			yield(0, db.ErrNotFound)
		}
	}
	for format, want := range map[outputFormat]string{
		outputTable: "n\n0\n", outputMarkdown: "| n |\n| ---:|\n| 0 |\n", outputCSV: "n\n0\n", outputJSON: "[\n{\"n\":0}\n]\n",
	} {
		for rows, want := range []string{"", want} {
			var out strings.Builder
			if err := writeListing(&out, format, columns, failing(rows)); err != db.ErrNotFound || out.String() != want {
				t.Errorf("%s with %d rows: %v, %q, want %q", format, rows, err, out.String(), want)
			}
		}
	}
}
