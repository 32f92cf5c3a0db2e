package compare

import (
	"slices"
	"strconv"

	"siftdb/bench/peers/rows"
)

// growth is how the cost of operations grows along an axis.
type growth struct {
	axis   string
	phases []string // operations
	at     []int    // where it was measured
	// figures are by phase, then by place.
	figures map[string]map[int]*figure
}

// growths are the axes of c, in the order of measurement.
func (c *comparison) growths() (all []*growth) {
	for _, r := range c.rows {
		i := slices.IndexFunc(all, func(g *growth) bool { return g.axis == r.Axis })
		if i < 0 {
			i = len(all)
			all = append(all, &growth{axis: r.Axis, figures: make(map[string]map[int]*figure)})
		}
		all[i].add(r)
	}
	for _, g := range all {
		slices.Sort(g.at)
		slices.Sort(g.phases)
	}
	return all
}

func (g *growth) add(r rows.Row) {
	if !slices.Contains(g.at, r.At) {
		g.at = append(g.at, r.At)
	}
	if g.figures[r.Phase] == nil {
		g.phases = append(g.phases, r.Phase)
		g.figures[r.Phase] = make(map[int]*figure)
	}
	f := g.figures[r.Phase][r.At]
	if f == nil {
		f = &figure{phase: r.Phase, rows: make(map[string][]rows.Row)}
		g.figures[r.Phase][r.At] = f
	}
	f.rows[r.Store] = append(f.rows[r.Store], r)
}

// cost is an operation's µs of processor and of time; there is false where it was not measured.
func (g *growth) cost(phase string, at int, store string) (cpu, wall float64, there bool) {
	f := g.figures[phase][at]
	if f == nil {
		return 0, 0, false
	}
	processor, there := f.of(store, rows.Row.CPUMicros)
	time, _ := f.of(store, rows.Row.Micros)
	return processor.median, time.median, there
}

// table has a line for each operation at each place.
func (g *growth) table(stores []rows.Store) *table {
	t := &table{}
	head := []string{"µs of processor; of time"}
	for _, s := range stores {
		head = append(head, s.Name)
	}
	t.add(head...)
	for _, phase := range g.phases {
		for _, at := range g.at {
			cells := []string{phase + ", " + strconv.Itoa(at) + " " + g.axis}
			for _, s := range stores {
				cell := "-"
				if cpu, wall, there := g.cost(phase, at, s.Name); there {
					cell = short(cpu) + "; " + short(wall)
				}
				cells = append(cells, cell)
			}
			t.add(cells...)
		}
	}
	return t
}
