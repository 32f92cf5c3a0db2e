package cmd

import (
	"fmt"
	"math"
	"testing"

	"siftdb/db"
)

// TestRuler: places of keys follow from the bounds of tables, in all levels.
func TestRuler(t *testing.T) {
	table := func(level int, keys uint64, smallest, largest string) db.TableInfo {
		return db.TableInfo{Level: level, Keys: keys, Smallest: []byte(smallest), Largest: []byte(largest)}
	}
	r := newRuler([]db.TableInfo{
		table(0, 100, "k000", "k999"),
		table(5, 50, "k000", "k499"),
		table(6, 400, "k000", "k499"),
		table(6, 450, "k500", "k999"),
	})
	for key, want := range map[string]float64{"": 0, "k": 0, "k000": 0, "k250": 0.25, "k4999": 0.5, "k500": 0.5,
		"k749": 0.75, "k999": 1, "z": 1} {
		if got := r.place([]byte(key)); math.Abs(got-want) > 0.02 {
			t.Errorf("%q lies at %g, want %g", key, got, want)
		}
	}
	if got := r.cover(r.levels[5][0]); math.Abs(got-0.5) > 0.02 {
		t.Errorf("half of the keys are %g", got)
	}
	for _, bounds := range [][2]string{{"a", "a"}, {"a", "a\x00"}, {"", "\xff"}, {"aaaaaaaaaa", "aaaaaaaaab"},
		{"a", "aaaaaaaaaaaaaaaaaaaa"}} {
		one := newRuler([]db.TableInfo{table(6, 2, bounds[0], bounds[1])})
		for _, key := range []string{"", "a", "a\x00", "aa", "aaaaaaaaaa", "b", "\xff\xff"} {
			if got := one.place([]byte(key)); !(got >= 0 && got <= 1) {
				t.Errorf("%q in %q: %g", key, fmt.Sprint(bounds), got)
			}
		}
	}
}
