package report

import (
	"fmt"

	"siftdb/bench"
)

// wasteGrid compares the reads for nothing of rows with the same bits per key. It is empty where no two rows have.
func wasteGrid(r *bench.Result) grid {
	g := grid{
		title: "Wasted block reads per lookup, at equal bits per key",
		columns: settingColumns(r, "true bits/key", "absent, theory", "absent, measured (95 %)", "fewer, times",
			"present, measured"),
	}
	hits := r.Settings.Hits
	if hits > 0 {
		g.columns = append(g.columns, "all lookups")
	}
	for i := range r.Rows {
		row := &r.Rows[i]
		w := &row.Waste
		first := firstAlike(r, row)
		if row.Bits == bench.Off || first == nil {
			continue
		}
		fewer := "–"
		if first != row && w.Absent > 0 {
			fewer = factor(first.Waste.Absent / w.Absent)
		}
		cells := settingCells(r, row,
			fmt.Sprintf("%.2f", row.Filter.BitsPerKey), percent(w.AbsentTheory),
			shares(w.Absent, w.AbsentLow, w.AbsentHigh), fewer, percent(w.Present))
		if hits > 0 {
			cells = append(cells, percent(hits*w.Present+(1-hits)*w.Absent))
		}
		g.rows = append(g.rows, cells)
	}
	if len(g.rows) > 0 {
		g.notes = []string{
			"Tables that were searched and did not hold the key, per 100 lookups. " +
				"Fewer is against the first row of the same bits.",
		}
	}
	return g
}

// firstAlike is the first row with the bits of row, if there are several.
func firstAlike(r *bench.Result, row *bench.Row) *bench.Row {
	var first *bench.Row
	for i := range r.Rows {
		other := &r.Rows[i]
		if other.Bits != row.Bits {
			continue
		}
		if first != nil {
			return first
		}
		first = other
	}
	return nil
}

// shapeGrid is the levels of each row, where the layout is made of levels.
func shapeGrid(r *bench.Result) grid {
	if r.Settings.Layout != bench.Levels {
		return grid{}
	}
	g := levelsGrid(r)
	g.title = "Levels, and their filters for absent keys"
	return g
}
