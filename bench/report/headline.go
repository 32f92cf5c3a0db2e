package report

import (
	"fmt"
	"strings"

	"siftdb/bench"
)

// headline says in a sentence what came out.
func headline(r *bench.Result) string {
	off, groups := groupsOf(r)
	row := nearestTen(groups)
	switch {
	case len(r.Live) > 0:
		return liveHeadline(r.Live)
	case row == nil || row.Absent.Lookups == 0:
		return "What filters save, by bits per key."
	case len(groups) > 1:
		return bestHeadline(r, groups, row)
	}
	return savingHeadline(off, row)
}

// liveHeadline says how long changes of bits per key took, and what they cost.
func liveHeadline(changes []bench.LiveChange) string {
	var steps []string
	var written, blocks int64
	for i := range changes {
		c := &changes[i]
		steps = append(steps, fmt.Sprintf("from %s to %s in %s", c.From, c.To, unbroken(duration(c.Took))))
		written += c.FilesWritten
		blocks += c.OtherReads
	}
	return fmt.Sprintf("Bits per key of a store that is being read, %s; table files written: %d, data blocks read: %d.",
		strings.Join(steps, ", "), written, blocks)
}

// bestHeadline compares the first row with the bits of row with the one of them that wastes least.
func bestHeadline(r *bench.Result, groups []group, row *bench.Row) string {
	first, best := row, row
	for _, g := range groups {
		for _, other := range g.rows {
			if other.Bits == row.Bits && other.Waste.Absent < best.Waste.Absent {
				best = other
			}
		}
	}
	text := fmt.Sprintf("At %s, a lookup of an absent key wastes %s of a block read with %s",
		atBits(row.Bits), unbroken(percent(first.Waste.Absent)), filtersOf(r, first))
	if best == first {
		return text + "; no other does better."
	}
	text += fmt.Sprintf(", %s with %s", unbroken(percent(best.Waste.Absent)), filtersOf(r, best))
	if best.Waste.Absent == 0 {
		return text + "."
	}
	return fmt.Sprintf("%s: %s times less.", text, factor(first.Waste.Absent/best.Waste.Absent))
}

// unbroken keeps a number and its unit in one line.
func unbroken(number string) string { return strings.ReplaceAll(number, " ", "\u00a0") }

// filtersOf names the filters of a row in a sentence, such as "uniform blocked filters".
func filtersOf(r *bench.Result, row *bench.Row) string {
	if plansDiffer(r) {
		return row.Plan + " " + row.Kind() + " filters"
	}
	return row.Kind() + " filters"
}

// savingHeadline says what filters save in a row. Without a measure of what it would be without filters, it says what
// was measured.
func savingHeadline(off, row *bench.Row) string {
	var without *bench.Phase
	switch {
	case row.Compared != nil:
		without = &row.Compared.Absent.Off
	case off != nil:
		without = &off.Absent
	default:
		return fmt.Sprintf("At %s, a lookup of an absent key takes %s disk reads.",
			atBits(row.Bits), perLookupText(&row.Absent))
	}
	text := fmt.Sprintf("At %s, a lookup of an absent key takes %s disk reads instead of %s",
		atBits(row.Bits), perLookupText(&row.Absent), perLookupText(without))
	if row.Absent.DiskReads == 0 {
		return text + "."
	}
	ratio := without.PerLookup(without.DiskReads) / row.Absent.PerLookup(row.Absent.DiskReads)
	return fmt.Sprintf("%s: %s times fewer.", text, factor(ratio))
}
