package bench

import "fmt"

// Layout says how the tables of a store lie.
type Layout string

const (
	// Leveled leaves it to the store: tables are flushed and compacted as in daily use. Keys are put a memtable at a
	// time, and the next when nothing is due, so that the same tables come out in every run.
	Leveled Layout = "leveled"
	// Overlap makes Config.Tables tables, each over the whole range of keys, and no compaction: the worst case
	// for reads. Counts are the same in every run with the same settings.
	Overlap Layout = "overlap"
)

// ParseLayout reads a layout's name.
func ParseLayout(name string) (Layout, error) {
	switch l := Layout(name); l {
	case Leveled, Overlap:
		return l, nil
	}
	return "", fmt.Errorf("siftdb: bench: layout %q is neither %q nor %q", name, Leveled, Overlap)
}
