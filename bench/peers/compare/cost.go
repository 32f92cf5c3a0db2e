package compare

import (
	"fmt"

	"siftdb/bench/peers/rows"
)

// comparison is the rows of one kind of measurement, which several files may hold.
type comparison struct {
	header  rows.Header // of the file with the most stores
	stores  []rows.Store
	rows    []rows.Row
	figures []*figure
}

const mib = 1 << 20

// head begins a table.
func (c *comparison) head(what string, more ...string) []string {
	cells := []string{what}
	for _, s := range c.stores {
		cells = append(cells, s.Name)
	}
	return append(cells, more...)
}

// cells is a row of a table: a cell for each store, "-" where it has no row.
func (c *comparison) cells(f *figure, text func(store string) string) []string {
	cells := []string{f.title()}
	for _, s := range c.stores {
		cell := "-"
		if len(f.rows[s.Name]) > 0 {
			cell = text(s.Name)
		}
		cells = append(cells, cell)
	}
	return cells
}

// quantities is the table of a quantity, for all phases that have it.
func (c *comparison) quantities(what string, quantity func(rows.Row) float64) *table {
	t := &table{}
	t.add(c.head(what)...)
	for _, f := range c.figures {
		if f.phase == writesMeanwhile {
			continue // its row is made of that of the reads, and has no costs of its own
		}
		t.add(c.cells(f, func(store string) string {
			s, _ := f.of(store, quantity)
			return s.String()
		})...)
	}
	return t
}

// speeds is thousands of operations a second, and the ratio to the best neighbour beside what was hoped for.
func (c *comparison) speeds() *table {
	t := &table{}
	t.add(c.head("thousand a second", "siftdb / best", "wanted")...)
	for _, f := range c.figures {
		if !f.isRate() {
			continue
		}
		cells := c.cells(f, func(store string) string {
			s, _ := f.of(store, func(r rows.Row) float64 { return r.PerSecond() / 1000 })
			return s.String()
		})
		ratio, wanted := "-", ""
		if v, there := f.speedVerdict(c.stores); there {
			ratio, wanted = v.times()+" "+v.other, v.wanted()
		}
		t.add(append(cells, ratio, wanted)...)
	}
	return t
}

// once is how long what is done once takes.
func (c *comparison) once() *table {
	t := &table{}
	t.add(c.head("seconds")...)
	for _, f := range c.figures {
		if f.isRate() {
			continue
		}
		t.add(c.cells(f, func(store string) string {
			s, _ := f.of(store, func(r rows.Row) float64 { return r.Seconds })
			return s.String()
		})...)
	}
	return t
}

// costs is a table of what an operation costs, for all rates but that of the writes meanwhile: their row is made of
// that of the reads, and has no costs of its own.
func (c *comparison) costs(what string, text func(f *figure, store string) string) *table {
	t := &table{}
	t.add(c.head(what)...)
	for _, f := range c.figures {
		if f.isRate() && f.phase != writesMeanwhile {
			t.add(c.cells(f, func(store string) string { return text(f, store) })...)
		}
	}
	return t
}

// latencies is p50, p99 and p99.9 in µs, medians of the repetitions.
func (c *comparison) latencies() *table {
	return c.costs("µs: p50, p99, p99.9", func(f *figure, store string) string {
		p50, p99, p999 := f.latency(store)
		return fmt.Sprintf("%s, %s, %s", short(p50), short(p99), short(p999))
	})
}

// latency is the medians of a store's quantiles, in µs.
func (f *figure) latency(store string) (p50, p99, p999 float64) {
	for to, quantity := range map[*float64]func(rows.Row) int64{
		&p50:  func(r rows.Row) int64 { return r.P50 },
		&p99:  func(r rows.Row) int64 { return r.P99 },
		&p999: func(r rows.Row) int64 { return r.P999 },
	} {
		s, _ := f.of(store, func(r rows.Row) float64 { return float64(quantity(r)) / 1000 })
		*to = s.median
	}
	return p50, p99, p999
}

// reads is read calls and KiB from the disk an operation.
func (c *comparison) reads() *table {
	return c.costs("reads; KiB from the disk", func(f *figure, store string) string {
		calls, _ := f.of(store, rows.Row.ReadsPerOp)
		bytes, _ := f.of(store, rows.Row.DiskBytesPerOp)
		return short(calls.median) + "; " + short(bytes.median/1024)
	})
}

// allocations is how often and how many bytes an operation allocates.
func (c *comparison) allocations() *table {
	return c.costs("allocations; bytes", func(f *figure, store string) string {
		count, _ := f.of(store, func(r rows.Row) float64 { return r.Allocs })
		bytes, _ := f.of(store, func(r rows.Row) float64 { return r.AllocBytes })
		return short(count.median) + "; " + short(bytes.median)
	})
}

func peakMiB(r rows.Row) float64     { return float64(r.Peak) / mib }
func residentMiB(r rows.Row) float64 { return float64(r.Resident) / mib }

// memory is the most resident memory in each phase, and that at its end.
func (c *comparison) memory() *table {
	t := &table{}
	t.add(c.head("MiB at most; at the end", "not above "+reference)...)
	for _, f := range c.figures {
		if f.phase == writesMeanwhile {
			continue
		}
		cells := c.cells(f, func(store string) string {
			peak, _ := f.of(store, peakMiB)
			resident, _ := f.of(store, residentMiB)
			return short(peak.median) + "; " + short(resident.median)
		})
		t.add(append(cells, f.notAbove(reference, peakMiB))...)
	}
	return t
}

// notAbove says whether siftdb has no more of a quantity than another store.
func (f *figure) notAbove(other string, quantity func(rows.Row) float64) string {
	mine, there := f.of(own, quantity)
	theirs, too := f.of(other, quantity)
	if !there || !too {
		return ""
	}
	return atLeast(theirs.median, mine.median)
}

func storeMiB(r rows.Row) float64 { return float64(r.StoreBytes) / mib }

// disk is how large stores are when they have come to rest, and when they were compacted.
func (c *comparison) disk() *table {
	t := &table{}
	t.add(c.head("MiB on disk", "not above the smallest")...)
	for _, f := range c.figures {
		if f.isRate() || f.phase == openCold {
			continue
		}
		cells := c.cells(f, func(store string) string {
			s, _ := f.of(store, storeMiB)
			return s.String()
		})
		smallest, _ := f.best(c.stores, func(r rows.Row) float64 { return -storeMiB(r) })
		wanted := f.notAbove(smallest, storeMiB)
		if f.phase != "compact" {
			wanted = ""
		}
		t.add(append(cells, wanted)...)
	}
	return t
}
