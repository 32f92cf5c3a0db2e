package report

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"

	"siftdb/bench"
)

// group is the rows that differ in their bits per key alone: a line in a picture, by ascending bits.
type group struct {
	name  string
	rows  []*bench.Row
	ink   *ink
	glyph draw.GlyphDrawer
}

// The marks of groups, in their order.
var (
	groupInks   = []*ink{inkBlue, inkGreen, inkPurple, inkText}
	groupGlyphs = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.PyramidGlyph{}, diamondGlyph{}}
)

// groupsOf sorts the rows of r into groups, in the order of appearance. off is the row without filters, if there is
// one.
func groupsOf(r *bench.Result) (off *bench.Row, groups []group) {
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Bits == bench.Off {
			off = row
			continue
		}
		name := groupName(r, row)
		at := slices.IndexFunc(groups, func(g group) bool { return g.name == name })
		if at < 0 {
			at = len(groups)
			groups = append(groups, group{
				name: name, ink: groupInks[at%len(groupInks)], glyph: groupGlyphs[at%len(groupGlyphs)],
			})
		}
		groups[at].rows = append(groups[at].rows, row)
	}
	for _, g := range groups {
		slices.SortStableFunc(g.rows, func(a, b *bench.Row) int { return cmp.Compare(a.Bits, b.Bits) })
	}
	return off, groups
}

// lineName names the one line that a group has in a picture.
func (g *group) lineName(groups []group) string {
	if len(groups) == 1 {
		return "filters on"
	}
	return g.name
}

// partName names one of several lines of a group.
func (g *group) partName(part string, groups []group) string {
	if len(groups) == 1 {
		return part
	}
	return g.name + ", " + part
}

// bitsOf are the settings of rows, ascending, each once; off first, if it is not nil.
func bitsOf(off *bench.Row, groups []group) []bench.Bits {
	var all []bench.Bits
	if off != nil {
		all = append(all, off.Bits)
	}
	for _, g := range groups {
		for _, row := range g.rows {
			all = append(all, row.Bits)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// mostBitLabels is how many numbers fit below the axis of a phone's drawing.
const mostBitLabels = 12

// bitsAxis has settings on it, in ascending order, "off" at 0.
func bitsAxis(all []bench.Bits) axis {
	a := axis{label: "bits per key", scale: plot.LinearScale{}, low: -1, high: 1}
	if len(all) == 0 {
		return a
	}
	least, most := float64(all[0]), float64(all[len(all)-1])
	margin := max(0.6, (most-least)/24)
	a.low, a.high = least-margin, most+margin
	labelled := a.low
	for _, b := range all {
		tick := plot.Tick{Value: float64(b)}
		if tick.Value-labelled >= (most-least)/mostBitLabels || b == all[0] {
			tick.Label, labelled = b.String(), tick.Value
		}
		a.ticks = append(a.ticks, tick)
	}
	return a
}

// atBits says where on the axis a row is, in words.
func atBits(b bench.Bits) string {
	if b == bench.Off {
		return "filters off"
	}
	return b.String() + " bits per key"
}

// nearestTen is the row of the groups nearest to 10 bits per key, the store's default; nil without rows.
func nearestTen(groups []group) *bench.Row {
	var best *bench.Row
	for _, g := range groups {
		for _, row := range g.rows {
			if best == nil || distanceFromTen(row) < distanceFromTen(best) {
				best = row
			}
		}
	}
	return best
}

func distanceFromTen(row *bench.Row) float64 { return max(float64(row.Bits)-10, 10-float64(row.Bits)) }
