package manifest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestApplyReplacesTables(t *testing.T) {
	a, b, c := table(1, "a", "f", 10, 19), table(2, "c", "k", 20, 29), table(3, "a", "z", 1, 9)
	before := mustApply(t, &Version{}, add(0, a, b), add(1, c))
	picture := before.String()
	after := mustApply(t, before, &Edit{
		Removed: []Removal{{0, 1}, {0, 2}, {1, 3}},
		Added:   []Addition{{1, table(5, "n", "z", 1, 29)}, {1, table(4, "a", "m", 1, 29)}},
	})
	if got := after.String(); got != "L1: 000004[a..m] 000005[n..z]\n" {
		t.Errorf("after the edit:\n%s", got)
	}
	if before.String() != picture {
		t.Errorf("the old version has changed:\n%v", before)
	}
}

func TestApplyMovesATable(t *testing.T) {
	a := table(1, "a", "f", 1, 9)
	v := mustApply(t, &Version{}, add(1, a), &Edit{Removed: []Removal{{1, 1}}, Added: []Addition{{2, a}}})
	if got := v.String(); got != "L2: 000001[a..f]\n" {
		t.Errorf("after the move:\n%s", got)
	}
}

func TestApplySharesLevelsThatStay(t *testing.T) {
	v := mustApply(t, &Version{}, add(3, table(1, "a", "f", 1, 9)))
	next := mustApply(t, v, add(0, table(2, "a", "f", 10, 19)))
	if &v.Levels[3][0] != &next.Levels[3][0] {
		t.Error("level 3 was copied for an edit of level 0")
	}
}

func TestApplyRefusesEditsThatDoNotFit(t *testing.T) {
	v := mustApply(t, &Version{},
		add(0, table(1, "a", "f", 10, 19)),
		add(1, table(2, "c", "f", 1, 9), table(3, "k", "p", 1, 9)))
	for _, c := range []struct {
		name, want string
		edit       *Edit
	}{
		{"unknown removal", "removes table 9, which is not there", &Edit{Removed: []Removal{{0, 9}}}},
		{"removal from another level", "removes table 2, which is not there", &Edit{Removed: []Removal{{0, 2}}}},
		{"removal twice", "removes table 2, which is not there", &Edit{Removed: []Removal{{1, 2}, {1, 2}}}},
		{"removal below the last level", "level 7 of 7", &Edit{Removed: []Removal{{7, 2}}}},
		{"addition below the last level", "level 7 of 7", add(7, table(9, "x", "z", 1, 1))},
		{"addition above the first level", "level -1 of 7", add(-1, table(9, "x", "z", 1, 1))},
		{"number of the same level", "table 1, which is there", add(0, table(1, "x", "z", 30, 31))},
		{"number of another level", "table 3, which is there", add(0, table(3, "x", "z", 30, 31))},
		{"number twice", "adds table 9 twice", add(2, table(9, "a", "b", 1, 1), table(9, "x", "z", 1, 1))},
		{"move without removal", "table 3, which is there", add(2, table(3, "k", "p", 1, 9))},
		{"end before beginning", "ends before it begins", add(1, table(9, "z", "x", 1, 1))},
		{"end before beginning in level 0", "ends before it begins", add(0, table(9, "z", "x", 30, 31))},
		{"overlap to the left", "share keys", add(1, table(9, "f", "g", 1, 1))},
		{"overlap to the right", "share keys", add(1, table(9, "g", "k", 1, 1))},
		{"overlap over all", "share keys", add(1, table(9, "a", "z", 1, 1))},
		{"overlap within", "share keys", add(1, table(9, "l", "m", 1, 1))},
		{"overlap of the same beginning", "share keys", add(1, table(9, "c", "c", 1, 1))},
		{"overlap of two additions", "share keys", add(2, table(9, "a", "c", 1, 1), table(10, "c", "d", 1, 1))},
		{"overlap of two additions of the same beginning", "share keys", add(2, table(9, "a", "a", 1, 1), table(10, "a", "d", 1, 1))},
		{"age in doubt", "share keys and sequence numbers", add(0, table(9, "e", "g", 19, 25))},
	} {
		if next, err := v.Apply(c.edit); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q; version\n%v", c.name, err, c.want, next)
		}
	}
}

func TestApplyTakesLevelZeroTablesOfTheSameAgeWithOtherKeys(t *testing.T) {
	v := mustApply(t, &Version{}, add(0, table(1, "a", "f", 10, 19), table(2, "g", "k", 10, 19)))
	if got := v.String(); got != "L0: 000002[g..k] 000001[a..f]\n" {
		t.Errorf("level 0:\n%s", got)
	}
}

// TestApplyAgreesWithSorting holds Apply against throwing all tables together and sorting them.
func TestApplyAgreesWithSorting(t *testing.T) {
	rng := seeded(t)
	for range 300 {
		v := randomVersion(t, rng, 10)
		level := 1 + rng.IntN(NumLevels-1)
		e := &Edit{}
		var rest []*Table
		for _, old := range v.Levels[level] {
			if rng.IntN(2) == 0 {
				e.Removed = append(e.Removed, Removal{level, old.Number})
				continue
			}
			rest = append(rest, old)
		}
		rng.Shuffle(len(e.Removed), func(i, j int) { e.Removed[i], e.Removed[j] = e.Removed[j], e.Removed[i] })
		number := uint64(10_000)
		for range rng.IntN(20) {
			low := rng.IntN(660)
			added := table(number, pair(low), pair(low+rng.IntN(5)), 1, 2)
			if slices.ContainsFunc(rest, func(o *Table) bool { return o.Overlaps(added.Smallest.User, added.Largest.User) }) {
				continue
			}
			number++
			rest = append(rest, added)
			e.Added = append(e.Added, Addition{level, added})
		}
		slices.SortFunc(rest, smallerFirst)
		next := mustApply(t, v, e)
		if !slices.Equal(next.Levels[level], rest) {
			t.Fatalf("level %d after %v: %v, want %v", level, e, next.Levels[level], rest)
		}
	}
}

func BenchmarkApply(b *testing.B) {
	for _, tables := range []int{100, 10_000} {
		v := deepVersion(b, tables)
		flush := add(0, table(1_000_000, "user", "user:", 5000, 5009))
		compaction := &Edit{}
		for i, old := range v.Levels[6][:10] {
			compaction.Removed = append(compaction.Removed, Removal{6, old.Number})
			fresh := *old
			fresh.Number = 1_000_001 + uint64(i)
			compaction.Added = append(compaction.Added, Addition{6, &fresh})
		}
		for name, e := range map[string]*Edit{"flush": flush, "compaction": compaction} {
			b.Run(fmt.Sprintf("%s/tables=%d", name, tables), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := v.Apply(e); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
