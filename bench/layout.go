package bench

import "fmt"

// Layout says how the tables of a store lie.
type Layout string

const (
	// Leveled leaves it to the store: tables are flushed and compacted as in daily use. Keys are put a memtable at a
	// time, and the next when nothing is due, so that the same tables come out in every run.
	Leveled Layout = "leveled"
	// LazyLeveled is Leveled under the store's other style of compaction, db.LazyLeveled.
	LazyLeveled Layout = "lazy-leveled"
	// Overlap makes Config.Tables tables, each over the whole range of keys, and no compaction: the worst case
	// for reads. Counts are the same in every run with the same settings.
	Overlap Layout = "overlap"
	// Levels makes Config.Levels full levels, each Config.Ratio times as large as the one above and over the whole
	// range of keys, and nothing in level 0: a store that has grown for long, at rest. All rows share one store's data;
	// its tables are given each row's filters in turn.
	Levels Layout = "levels"
)

// layouts lists them.
var layouts = []Layout{Leveled, LazyLeveled, Overlap, Levels}

// ParseLayout reads a layout's name.
func ParseLayout(name string) (Layout, error) {
	for _, l := range layouts {
		if name == string(l) {
			return l, nil
		}
	}
	return "", fmt.Errorf("siftdb: bench: layout %q is none of %v", name, layouts)
}
