package memtable_test

import (
	"slices"
	"testing"

	"siftdb/internal/iter"
	"siftdb/internal/iter/check"
	"siftdb/internal/key"
	"siftdb/memtable"
)

// tableOf adds entries in the order of their sequence numbers.
func tableOf(entries []check.Entry) *memtable.Table {
	byAge := slices.Clone(entries)
	slices.SortFunc(byAge, func(a, b check.Entry) int { return int(a.Key.Seq()) - int(b.Key.Seq()) })
	t := memtable.New(0)
	for _, e := range byAge {
		t.Add(e.Key, e.Value)
	}
	return t
}

func TestIterConformance(t *testing.T) {
	check.RunDistinct(t, func(_ testing.TB, entries []check.Entry) iter.Iterator {
		return tableOf(entries).NewIter(key.MaxSeq)
	})
}

func TestVersionIterConformance(t *testing.T) {
	check.Run(t, func(_ testing.TB, entries []check.Entry) iter.Iterator {
		return tableOf(entries).NewVersionIter()
	})
}

