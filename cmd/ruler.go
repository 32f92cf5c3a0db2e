package cmd

import (
	"bytes"
	"encoding/binary"
	"slices"
	"sort"

	"siftdb/db"
)

// ruler tells where among all keys of a store one lies, as far as its tables' bounds say.
type ruler struct {
	levels map[int][]db.TableInfo // of level 0 in any order, of others ascending
	before map[int][]float64      // keys in the tables of the level before each
	keys   float64                // of all tables
}

func newRuler(tables []db.TableInfo) *ruler {
	r := &ruler{levels: make(map[int][]db.TableInfo), before: make(map[int][]float64)}
	ofLevel := make(map[int]float64)
	for _, t := range tables {
		r.levels[t.Level] = append(r.levels[t.Level], t)
		r.before[t.Level] = append(r.before[t.Level], ofLevel[t.Level])
		ofLevel[t.Level] += float64(t.Keys)
		r.keys += float64(t.Keys)
	}
	return r
}

// cover is which share of all keys lies in the range of t.
func (r *ruler) cover(t db.TableInfo) float64 { return r.place(t.Largest) - r.place(t.Smallest) }

// place is which share of all keys lies before key.
func (r *ruler) place(key []byte) float64 {
	before := 0.0
	for level, tables := range r.levels {
		if level == 0 {
			for _, t := range tables {
				before += float64(t.Keys) * within(key, t.Smallest, t.Largest)
			}
			continue
		}
		i := sort.Search(len(tables), func(i int) bool { return bytes.Compare(tables[i].Largest, key) >= 0 })
		if i == len(tables) {
			i--
		}
		before += r.before[level][i] + float64(tables[i].Keys)*within(key, tables[i].Smallest, tables[i].Largest)
	}
	return before / r.keys
}

// within is where key lies between low and high, 0 to 1, as if keys were spread evenly there: by the eight bytes behind
// what low and high have in common.
func within(key, low, high []byte) float64 {
	switch {
	case bytes.Compare(key, low) <= 0:
		return 0
	case bytes.Compare(key, high) >= 0:
		return 1
	}
	common := 0
	for common < len(low) && low[common] == high[common] { // low is less, so high is no shorter
		common++
	}
	from := number(low[common:])
	return float64(number(key[common:])-from) / float64(max(1, number(high[common:])-from))
}

// number is the first eight bytes, with zeros for those that are missing.
func number(b []byte) uint64 {
	return binary.BigEndian.Uint64(append(slices.Clone(b[:min(8, len(b))]), make([]byte, 8)...))
}
