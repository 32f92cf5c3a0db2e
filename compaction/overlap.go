package compaction

import (
	"bytes"
	"slices"

	"siftdb/internal/manifest"
)

// closure returns the tables of level 0 that must go together when the chosen ones go: all that share keys with
// their span, and with the span that they then have. Only the older ones must go along; the newer go too, so that
// the next plan does not write the same range of keys again. The result is newest first, as the level is.
func closure(level0, chosen []*manifest.Table) []*manifest.Table {
	bounds := cover(chosen)
	for grown := true; grown; {
		grown = false
		for _, t := range level0 {
			if t.Overlaps(bounds.smallest, bounds.largest) && !bounds.holds(t) {
				bounds = bounds.with(t)
				grown = true
			}
		}
	}
	var all []*manifest.Table
	for _, t := range level0 {
		if bounds.holds(t) {
			all = append(all, t)
		}
	}
	return all
}

// below returns the tables of a level that share keys with the span of the tables.
func below(v *manifest.Version, level int, tables []*manifest.Table) []*manifest.Table {
	s := cover(tables)
	return v.Overlaps(level, s.smallest, s.largest)
}

// anyBusy reports whether one of the tables is in a running plan.
func anyBusy(busy map[uint64]bool, tables []*manifest.Table) bool {
	return len(busy) > 0 && slices.ContainsFunc(tables, func(t *manifest.Table) bool { return busy[t.Number] })
}

// overlap is one table of a level with what it overlaps in the next.
type overlap struct {
	table *manifest.Table
	lower []*manifest.Table
	bytes int64
}

// overlaps walks over two sorted levels side by side, so that a level costs one look at each table.
func overlaps(upper, lower []*manifest.Table) []overlap {
	found := make([]overlap, len(upper))
	first := 0
	for i, t := range upper {
		for first < len(lower) && bytes.Compare(lower[first].Largest.User, t.Smallest.User) < 0 {
			first++
		}
		end, size := first, int64(0)
		for end < len(lower) && bytes.Compare(lower[end].Smallest.User, t.Largest.User) <= 0 {
			size += lower[end].Size
			end++
		}
		found[i] = overlap{table: t, lower: lower[first:end], bytes: size}
	}
	return found
}
