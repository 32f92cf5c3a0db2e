package compare

import (
	"fmt"
	"slices"

	"siftdb/bench/peers/rows"
)

// figure is a phase as it is compared: its rows, by store.
type figure struct {
	phase   string
	threads int
	rows    map[string][]rows.Row
}

// spread is a quantity over the repetitions.
type spread struct{ low, median, high float64 }

// over is the ratio of two spreads. Its ends are those that pairs of repetitions can have at most.
func (s spread) over(other spread) spread {
	return spread{s.low / other.high, s.median / other.median, s.high / other.low}
}

// figuresOf gathers rows, in the order in which phases were measured.
func figuresOf(all []rows.Row) (figures []*figure) {
	byTitle := make(map[string]*figure)
	for _, r := range all {
		f := &figure{phase: r.Phase, threads: r.Threads, rows: make(map[string][]rows.Row)}
		if known := byTitle[f.title()]; known != nil {
			f = known
		} else {
			byTitle[f.title()] = f
			figures = append(figures, f)
		}
		f.rows[r.Store] = append(f.rows[r.Store], r)
	}
	return figures
}

// title names a phase.
func (f *figure) title() string {
	if f.threads > 1 {
		return fmt.Sprintf("%s, %d goroutines", f.phase, f.threads)
	}
	return f.phase
}

// of is a quantity of a store's rows; there is false if it has none. The median of an even number is the lower of the
// two.
func (f *figure) of(store string, quantity func(rows.Row) float64) (s spread, there bool) {
	values := make([]float64, 0, len(f.rows[store]))
	for _, r := range f.rows[store] {
		values = append(values, quantity(r))
	}
	if len(values) == 0 {
		return s, false
	}
	slices.Sort(values)
	return spread{values[0], values[(len(values)-1)/2], values[len(values)-1]}, true
}

// own is the store that all others are compared with.
const own = "siftdb"

// best is the neighbour with the highest median, of those that are built alike.
func (f *figure) best(stores []rows.Store, quantity func(rows.Row) float64) (name string, best spread) {
	for _, store := range stores {
		s, there := f.of(store.Name, quantity)
		if there && store.Name != own && !store.Apart && (name == "" || s.median > best.median) {
			name, best = store.Name, s
		}
	}
	return name, best
}

// named finds the figure of a phase.
func named(figures []*figure, phase string, threads int) *figure {
	for _, f := range figures {
		if f.phase == phase && f.threads == threads {
			return f
		}
	}
	return nil
}

// openCold opens a store of which the system's file cache has nothing.
const openCold = "open, cold"

// phasesOnce are those that are one long operation: they are no rates.
var phasesOnce = []string{"settle", "compact", openCold}

func (f *figure) isRate() bool { return !slices.Contains(phasesOnce, f.phase) }
