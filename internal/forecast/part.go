package forecast

import (
	"slices"

	"siftdb/bloom"
)

// Part is a table, or some tables of one level that are alike.
type Part struct {
	// Level is where the tables are, and Bottommost whether no table below holds older data of their keys. Of level 0
	// each table is a part of its own.
	Level      int
	Bottommost bool
	// Tables is how many they are, at least 1, and Keys how many keys all of them have together, no fewer.
	Tables int64
	Keys   uint64
	// Absent and Present are how many lookups come to one of the tables that does not hold their key, for one lookup of
	// a key that is not in the store, and of one that is. Nothing but these can a filter save.
	Absent, Present float64
	// Built are the sizes of the filters that the tables have in their files, for AsBuilt.
	Built []bloom.Step
}

// Store is what a forecast is made for.
type Store struct {
	// Parts are in the order in which a lookup asks them.
	Parts []Part
	// Found is the share of lookups whose key is there, 0 to 1.
	Found float64
}

// Keys is the number of keys of all tables.
func (s Store) Keys() (keys uint64) {
	for _, p := range s.Parts {
		keys += p.Keys
	}
	return keys
}

// misses is how many lookups come to part i in vain, for one lookup of the store's traffic.
func (s Store) misses(i int) float64 {
	p := &s.Parts[i]
	return (1-s.Found)*p.Absent + s.Found*p.Present
}

// Evenly makes a store of parts whose misses nobody has counted: lookups come from all over the range of keys, absent
// or each present key as often as the next. covers says which share of that range each part's tables span, 0 to 1:
// those of a level that is full span all of it together.
func Evenly(parts []Part, covers []float64) Store {
	return spread(slices.Clone(parts), covers)
}

// spread fills in the misses of parts, of which shares says what part of all lookups of absent keys comes to each. A
// table of level 0 is a run of its own; each level below is one. A present key misses in all runs younger than its own.
func spread(parts []Part, shares []float64) Store {
	s := Store{Parts: parts}
	keys, younger := float64(s.Keys()), 0.0
	for first, end := 0, 0; first < len(parts); first = end {
		end = endOfRun(parts, first)
		for _, p := range parts[first:end] {
			younger += float64(p.Keys)
		}
		older := quotient(keys-younger, keys)
		for i := first; i < end; i++ {
			parts[i].Bottommost = end == len(parts)
			parts[i].Absent, parts[i].Present = shares[i], shares[i]*older
		}
	}
	return s
}

// endOfRun is where the run ends that begins at first.
func endOfRun(parts []Part, first int) int {
	end := first + 1
	for parts[first].Level > 0 && end < len(parts) && parts[end].Level == parts[first].Level {
		end++
	}
	return end
}
