package report

import (
	"fmt"

	"siftdb/bench"
)

// cacheGrid is what lookups found in the block cache, where there was one.
func cacheGrid(r *bench.Result) grid {
	g := grid{
		title:   "Block cache",
		columns: settingColumns(r, "keys", "blocks wanted", "found in cache", "disk reads"),
	}
	if r.Settings.CacheSize == 0 {
		return g
	}
	for i := range r.Rows {
		row := &r.Rows[i]
		for _, side := range []struct {
			name string
			*bench.Phase
		}{{"absent", &row.Absent}, {"present", &row.Present}} {
			wanted := side.CacheHits + side.CacheMisses
			found := "–"
			if wanted > 0 {
				found = percent(float64(side.CacheHits) / float64(wanted))
			}
			g.rows = append(g.rows, settingCells(r, row,
				side.name, fmt.Sprintf("%.3f", side.PerLookup(wanted)), found, perLookupText(side.Phase)))
		}
	}
	if len(g.rows) > 0 {
		g.notes = []string{"Blocks wanted and disk reads are a lookup's."}
	}
	return g
}
