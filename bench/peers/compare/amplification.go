package compare

import (
	"slices"

	"siftdb/bench/peers/rows"
)

// phasesOfWriting are those over which write amplification is taken: all that is written for the keys that were given,
// with the compactions that a store makes by itself until it comes to rest.
var phasesOfWriting = []string{"fill random", "overwrite random", "settle"}

// amplification adds up the phases of writing of each repetition, as a figure with a row for each.
func (c *comparison) amplification() *figure {
	f := &figure{phase: "fill random + overwrite random", threads: 1, rows: make(map[string][]rows.Row)}
	for _, r := range c.rows {
		if !slices.Contains(phasesOfWriting, r.Phase) {
			continue
		}
		all := f.rows[r.Store]
		at := slices.IndexFunc(all, func(sum rows.Row) bool { return sum.Repetition == r.Repetition })
		if at < 0 {
			at = len(all)
			all = append(all, rows.Row{Store: r.Store, Repetition: r.Repetition})
			f.rows[r.Store] = all
		}
		all[at].GivenBytes += r.GivenBytes
		all[at].DirtiedBytes += r.DirtiedBytes
		all[at].WrittenBytes += r.WrittenBytes
		all[at].Seconds += r.Seconds
	}
	return f
}

func dirtiedRatio(r rows.Row) float64 { return float64(r.DirtiedBytes) / float64(max(1, r.GivenBytes)) }
func writtenRatio(r rows.Row) float64 { return float64(r.WrittenBytes) / float64(max(1, r.GivenBytes)) }

// amplifications is bytes written over bytes given, by pages and by calls.
func (c *comparison) amplifications() *table {
	f := c.amplification()
	t := &table{}
	t.add(c.head("bytes written / given", "not above "+reference)...)
	for _, line := range []struct {
		name     string
		quantity func(rows.Row) float64
	}{{"pages of files", dirtiedRatio}, {"by calls", writtenRatio}} {
		cells := c.cells(f, func(store string) string {
			s, _ := f.of(store, line.quantity)
			return s.String()
		})
		cells[0] = line.name
		t.add(append(cells, f.notAbove(reference, line.quantity))...)
	}
	return t
}
