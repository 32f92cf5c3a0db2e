package compare

import (
	"fmt"
	"slices"

	"siftdb/bench/peers/rows"
)

// goals are how many times as fast as the best of its neighbours siftdb is to be, by phase and goroutines.
var goals = []struct {
	phase   string
	threads []int
	least   float64
}{
	{"read absent, as loaded", []int{1, 2}, 2},
	{"read absent, compacted", []int{1, 2}, 2},
	{"read absent, cold", []int{1}, 2},
	{"read present, as loaded", []int{1, 2}, 1.5},
	{"read present, compacted", []int{1, 2}, 1.5},
	{"read zipfian present, as loaded", []int{1}, 1.5},
	{"read zipfian present, compacted", []int{1}, 1.5},
	{"read present, cold", []int{1}, 1.1},
	{"fill random", []int{1}, 1.3},
	{"overwrite random", []int{1}, 1.3},
	{"delete random", []int{1}, 1.3},
	{"fill sequential", []int{1}, 1.2},
	{"batches of 100", []int{1}, 1.2},
	{"synced writes", []int{8}, 1.2},
	{"seek + 10", []int{1}, 1.5},
	{"seek + 100", []int{1}, 1.5},
	{"full scan", []int{1}, 1.5},
	{"read while writing", []int{1}, 2},
	{"YCSB A", []int{1}, 1.3},
	{"YCSB B", []int{1}, 1.3},
	{"YCSB C", []int{1}, 1.3},
	{"YCSB D", []int{1}, 1.3},
	{"YCSB E", []int{1}, 1.3},
	{"YCSB F", []int{1}, 1.3},
}

// Some goals are to be not worse than one neighbour, whatever the others do.
const reference = "pebble"

// writesMeanwhile are the writes beside the reads that have a goal: these must not be bought with them.
const writesMeanwhile = "write while reading"

// coldReads is how many reads of the disk a present key may cost in a cold store, on average.
const coldReads = 1.02

func (f *figure) goal() float64 {
	for _, g := range goals {
		if g.phase == f.phase && slices.Contains(g.threads, f.threads) {
			return g.least
		}
	}
	return 0
}

// verdict is a figure beside what was hoped for.
type verdict struct {
	ratio spread  // siftdb to the other
	other string  // the best neighbour, or the one that counts
	least float64 // 0: no goal
}

// speedVerdict judges a rate. there is false where siftdb or all its neighbours are missing.
func (f *figure) speedVerdict(stores []rows.Store) (v verdict, there bool) {
	mine, there := f.of(own, rows.Row.PerSecond)
	if !there || !f.isRate() {
		return v, false
	}
	name, theirs := f.best(stores, rows.Row.PerSecond)
	v = verdict{other: name, least: f.goal()}
	if f.phase == writesMeanwhile {
		v = verdict{other: reference, least: 1}
		if theirs, there = f.of(reference, rows.Row.PerSecond); !there {
			return v, false
		}
	}
	if v.other == "" {
		return v, false
	}
	v.ratio = mine.over(theirs)
	return v, true
}

// times is the ratio in words.
func (v verdict) times() string {
	if v.ratio.low == v.ratio.high {
		return fmt.Sprintf("%.2f", v.ratio.median)
	}
	return fmt.Sprintf("%.2f (%.2f–%.2f)", v.ratio.median, v.ratio.low, v.ratio.high)
}

func (v verdict) wanted() string {
	if v.least == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f: %s", v.least, atLeast(v.ratio.median, v.least))
}

const (
	reached = "reached"
	missed  = "missed"
)

// atLeast is the word for whether value is.
func atLeast(value, limit float64) string {
	if value >= limit {
		return reached
	}
	return missed
}
