package report

import (
	"slices"

	"siftdb/bench"
)

// What rows are known by, as the first cells of a table: bits per key and, where a row has another plan or family than is
// usual, those too.

func settingColumns(r *bench.Result, more ...string) []string {
	columns := []string{"bits asked"}
	if unusual(r) {
		columns = append(columns, "plan", "family")
	}
	return append(columns, more...)
}

func settingCells(r *bench.Result, row *bench.Row, more ...string) []string {
	cells := []string{row.Bits.String()}
	if unusual(r) {
		cells = append(cells, row.Plan, string(row.Family))
	}
	return append(cells, more...)
}

func unusual(r *bench.Result) bool {
	return slices.ContainsFunc(r.Rows, func(row bench.Row) bool { return row.Unusual() })
}
