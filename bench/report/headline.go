package report

import (
	"fmt"

	"siftdb/bench"
)

// headline says in a sentence what filters save, in the row nearest to the store's default. Without such a row, or
// without a measure of what it would be without filters, it says what was measured.
func headline(r *bench.Result) string {
	off, groups := groupsOf(r)
	row := nearestTen(groups)
	if row == nil || row.Absent.Lookups == 0 {
		return "What filters save, by bits per key."
	}
	var without *bench.Phase
	switch {
	case row.Compared != nil:
		without = &row.Compared.Absent.Off
	case off != nil:
		without = &off.Absent
	default:
		return fmt.Sprintf("At %s, a lookup of an absent key takes %s disk reads.", atBits(row.Bits), perLookupText(&row.Absent))
	}
	text := fmt.Sprintf("At %s, a lookup of an absent key takes %s disk reads instead of %s",
		atBits(row.Bits), perLookupText(&row.Absent), perLookupText(without))
	if row.Absent.DiskReads == 0 {
		return text + "."
	}
	ratio := without.PerLookup(without.DiskReads) / row.Absent.PerLookup(row.Absent.DiskReads)
	return fmt.Sprintf("%s: %s times fewer.", text, factor(ratio))
}
