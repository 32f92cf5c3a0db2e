package report

import (
	"slices"

	"siftdb/bench"
)

// What rows are known by, as the first cells of a table: bits per key and, where some row has another plan or family
// than is usual, those too.

func settingColumns(r *bench.Result, more ...string) []string {
	columns := []string{"bits asked"}
	if plansDiffer(r) {
		columns = append(columns, "plan")
	}
	if familiesDiffer(r) {
		columns = append(columns, "family")
	}
	return append(columns, more...)
}

func settingCells(r *bench.Result, row *bench.Row, more ...string) []string {
	cells := []string{row.Bits.String()}
	if plansDiffer(r) {
		cells = append(cells, row.Plan)
	}
	if familiesDiffer(r) {
		cells = append(cells, string(row.Family))
	}
	return append(cells, more...)
}

// groupName is what a row shares with those that differ from it in bits per key alone, such as "ribbon, uniform".
func groupName(r *bench.Result, row *bench.Row) string {
	if plansDiffer(r) {
		return row.Kind() + ", " + row.Plan
	}
	return row.Kind()
}

func plansDiffer(r *bench.Result) bool {
	return slices.ContainsFunc(r.Rows, func(row bench.Row) bool { return row.UnusualPlan() })
}

func familiesDiffer(r *bench.Result) bool {
	return slices.ContainsFunc(r.Rows, func(row bench.Row) bool { return row.UnusualFamily() })
}
