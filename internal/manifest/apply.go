package manifest

import (
	"bytes"
	"fmt"
	"slices"
)

// Apply returns the version after e; v stays as it is. It refuses, with an error that names the table, an edit
// that does not fit v: a level that does not exist, a table removed where it is not, a number added that is
// there already, a table that ends before it begins, tables of one level that share a user key, tables of level 0
// of which neither is the newer.
//
// It costs a copy of the changed levels' pointers and one look at each table's number.
func (v *Version) Apply(e *Edit) (*Version, error) {
	var changes [NumLevels]change
	for _, r := range e.Removed {
		if r.Level < 0 || r.Level >= NumLevels {
			return nil, fmt.Errorf("siftdb: manifest edit removes table %d from level %d of %d",
				r.Number, r.Level, NumLevels)
		}
		changes[r.Level].removed = append(changes[r.Level].removed, r.Number)
	}
	for _, a := range e.Added {
		if a.Level < 0 || a.Level >= NumLevels {
			return nil, fmt.Errorf("siftdb: manifest edit adds table %d to level %d of %d",
				a.Table.Number, a.Level, NumLevels)
		}
		if bytes.Compare(a.Table.Smallest.User, a.Table.Largest.User) > 0 {
			return nil, fmt.Errorf("siftdb: manifest edit: level %d: %v ends before it begins", a.Level, a.Table)
		}
		changes[a.Level].added = append(changes[a.Level].added, a.Table)
	}
	next := &Version{Levels: v.Levels}
	for level, c := range changes {
		kept, err := c.remove(v.Levels[level])
		if err != nil {
			return nil, fmt.Errorf("siftdb: manifest edit: level %d: %w", level, err)
		}
		next.Levels[level] = kept
	}
	if err := next.checkNumbers(e.Added); err != nil {
		return nil, err
	}
	for level, c := range changes {
		tables, err := c.insert(level, next.Levels[level])
		if err != nil {
			return nil, fmt.Errorf("siftdb: manifest edit: level %d: %w", level, err)
		}
		next.Levels[level] = tables
	}
	return next, nil
}

// checkNumbers refuses additions whose number is in v or comes twice. The added numbers are nearly always the
// largest, so that the comparison with the smallest of them settles nearly all tables.
func (v *Version) checkNumbers(added []Addition) error {
	if len(added) == 0 {
		return nil
	}
	numbers := make([]uint64, len(added))
	for i, a := range added {
		numbers[i] = a.Table.Number
	}
	slices.Sort(numbers)
	for i := range numbers[1:] {
		if numbers[i] == numbers[i+1] {
			return fmt.Errorf("siftdb: manifest edit adds table %d twice", numbers[i])
		}
	}
	for _, tables := range v.Levels {
		for _, t := range tables {
			if t.Number < numbers[0] {
				continue
			}
			if _, found := slices.BinarySearch(numbers, t.Number); found {
				return fmt.Errorf("siftdb: manifest edit adds table %d, which is there already", t.Number)
			}
		}
	}
	return nil
}

// change is what an edit does to one level.
type change struct {
	removed []uint64
	added   []*Table
}

// remove returns tables without the removed ones: the same slice when there are none, else a new one.
func (c change) remove(tables []*Table) ([]*Table, error) {
	if len(c.removed) == 0 {
		return tables, nil
	}
	slices.Sort(c.removed)
	found := make([]bool, len(c.removed))
	kept := make([]*Table, 0, max(0, len(tables)-len(c.removed)))
	for _, t := range tables {
		if i, gone := slices.BinarySearch(c.removed, t.Number); gone {
			found[i] = true
			continue
		}
		kept = append(kept, t)
	}
	if i := slices.Index(found, false); i >= 0 {
		return nil, fmt.Errorf("removes table %d, which is not there", c.removed[i])
	}
	return kept, nil
}

// insert returns tables with the added ones at their places: the same slice when there are none, else a new one.
func (c change) insert(level int, tables []*Table) ([]*Table, error) {
	if len(c.added) == 0 {
		return tables, nil
	}
	order, check := smallerFirst, checkDisjoint
	if level == 0 {
		order, check = newerFirst, checkAge
	}
	slices.SortFunc(c.added, order)
	merged := make([]*Table, 0, len(tables)+len(c.added))
	rest := tables
	for _, t := range c.added {
		at, _ := slices.BinarySearchFunc(rest, t, order)
		merged = append(append(merged, rest[:at]...), t)
		rest = rest[at:]
	}
	merged = append(merged, rest...)
	return merged, check(merged, c.added)
}

// checkDisjoint looks at the neighbours of each added table in a sorted level.
func checkDisjoint(level, added []*Table) error {
	for _, t := range added {
		i, _ := slices.BinarySearchFunc(level, t, smallerFirst)
		// Equal smallest keys stand side by side, so the neighbour after the first of them shows the clash.
		for _, j := range []int{i - 1, i} {
			if j >= 0 && j+1 < len(level) && bytes.Compare(level[j].Largest.User, level[j+1].Smallest.User) >= 0 {
				return fmt.Errorf("%v and %v share keys", level[j], level[j+1])
			}
		}
	}
	return nil
}

// checkAge sees to it that of two overlapping tables in level 0 one is the newer in all its entries.
func checkAge(level, added []*Table) error {
	for _, t := range added {
		for _, other := range level {
			if other != t && other.Overlaps(t.Smallest.User, t.Largest.User) &&
				other.SmallestSeq <= t.LargestSeq && t.SmallestSeq <= other.LargestSeq {
				return fmt.Errorf("%v and %v share keys and sequence numbers", t, other)
			}
		}
	}
	return nil
}
