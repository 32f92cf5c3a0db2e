package forecast

import "math"

// Layout is a leveled store in numbers, as it is on average while keys come in from all over the range and nothing is
// overwritten.
type Layout struct {
	// Keys is the number of keys, and KeyBytes and ValueBytes what one of them takes in a table, on average. Keys that
	// share prefixes and values that compress take less than their length.
	Keys                 uint64
	KeyBytes, ValueBytes float64
	// Ratio is the size of a level over that of the level above it, at least 2.
	Ratio int
	// MemTable and TableSize are the sizes in bytes at which memtables are flushed and tables end.
	MemTable, TableSize int64
	// Level0 is the number of tables in level 0: between 0 and 3 in a store that is not behind with its compactions.
	Level0 int
	// Skew is the exponent of Zipf's law by which lookups choose among the tables of a level: 0 is evenly, 0.99 is
	// usual where people choose.
	Skew float64
}

const (
	// memTableEntry is what an entry takes in a memtable beside its bytes. Measured: 44 to 46 for entries of 26 to 150
	// bytes.
	memTableEntry = 45

	// flushesOfMerge is how many tables of level 0 are merged at once.
	flushesOfMerge = 4

	// lowestLevel is where most data is; a store has no more levels below level 0 than that.
	lowestLevel = 6
)

// Levels are the levels that hold something, the youngest first.
func (l Layout) Levels() []Level {
	flushed := l.Flushed()
	level0 := min(uint64(l.Level0)*flushed, l.Keys)
	var levels []Level
	if level0 > 0 {
		levels = append(levels, l.level(0, level0, flushed))
	}
	left := l.Keys - level0
	perTable := uint64(max(1, float64(l.TableSize)/l.entry()))
	shares := l.shares(float64(left) * l.entry())
	for i, share := range shares {
		keys := min(left, uint64(math.Round(float64(l.Keys-level0)*share)))
		if i == len(shares)-1 {
			keys = left
		}
		left -= keys
		if keys > 0 {
			levels = append(levels, l.level(lowestLevel+1-len(shares)+i, keys, perTable))
		}
	}
	l.cover(levels)
	return levels
}

// entry is what a key and its value take in a table.
func (l Layout) entry() float64 { return l.KeyBytes + l.ValueBytes }

func (l Layout) level(number int, keys, perTable uint64) Level {
	return Level{Number: number, Tables: int64((keys + perTable - 1) / perTable), Keys: keys,
		Bytes: float64(keys) * l.entry()}
}

// Flushed is the number of keys of a memtable, and so of a table in level 0.
func (l Layout) Flushed() uint64 {
	return max(1, uint64(float64(l.MemTable)/(l.entry()+memTableEntry)))
}

// shares are the parts of the bytes below level 0 that lie in each level, the youngest first. As in package compaction,
// the last level sets the targets of the others, each a ratio smaller than the next (O'Neil et al., The Log-Structured
// Merge-Tree, 1996), and the first level is the one whose target is no larger than two memtables. A merge of level 0
// brings more than that, and most of it is passed on at once; on average the first level holds half of its target.
func (l Layout) shares(bytes float64) []float64 {
	base := 2 * float64(l.MemTable)
	sizes, sum := []float64{1}, 1.0 // of the last level's, the last one first
	for len(sizes) < lowestLevel && bytes*sizes[len(sizes)-1]/sum > base {
		sizes = append(sizes, sizes[len(sizes)-1]/float64(l.Ratio))
		sum += sizes[len(sizes)-1]
	}
	if first := len(sizes) - 1; first > 0 {
		sizes[first] /= 2
		sum -= sizes[first]
	}
	shares := make([]float64, len(sizes))
	for i, size := range sizes {
		shares[len(sizes)-1-i] = size / sum
	}
	return shares
}

// cover fills in what share of the range of keys each level spans. Tables that are merged down leave a hole behind,
// until the next data that is merged into the level from above has come by: a level of n keys that gets m keys each
// time the range is gone through spans n/(n+m) of it. What comes is the level above, or at least a merge of level 0.
// Measured over the life of stores with ratios 4 and 10: within a tenth, the first level within a fifth.
func (l Layout) cover(levels []Level) {
	comes := float64(flushesOfMerge * l.Flushed())
	for i := range levels {
		level := &levels[i]
		keys := float64(level.Keys)
		switch {
		case level.Number == 0 || i == len(levels)-1:
			level.Cover = 1
		default:
			level.Cover = keys / (keys + comes)
			comes = max(comes, keys)
		}
	}
}

// Store makes the parts: lookups of absent keys that lie anywhere between the others, and of present keys each as often
// as the next, but for Skew.
func (l Layout) Store() Store {
	var parts []Part
	var shares []float64
	for _, level := range l.Levels() {
		if level.Number > 0 {
			parts, shares = level.cut(l.Skew, parts, shares)
			continue
		}
		for t := range uint64(level.Tables) {
			tables := uint64(level.Tables)
			parts = append(parts, Part{Tables: 1, Keys: level.Keys*(t+1)/tables - level.Keys*t/tables})
			shares = append(shares, 1)
		}
	}
	return spread(parts, shares)
}
