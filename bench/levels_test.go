package bench

import (
	"slices"
	"strings"
	"testing"
	"time"

	"siftdb/bloom"
)

func TestShape(t *testing.T) {
	for _, test := range []struct {
		n, levels, ratio int
		want             shape
	}{
		{1111, 4, 10, shape{1, 10, 100, 1000}},
		{4_444_000, 4, 10, shape{4000, 40_000, 400_000, 4_000_000}},
		{30_000, 3, 4, shape{1428, 5712, 22_860}},
		{500, 1, 10, shape{500}},
	} {
		got := shapeOf(test.n, test.levels, test.ratio)
		if !slices.Equal(got, test.want) {
			t.Errorf("%d keys on %d levels of ratio %d: %v, want %v", test.n, test.levels, test.ratio, got, test.want)
		}
		dealt := make(shape, test.levels)
		for place := range test.n {
			dealt[got.levelOf(place)]++
		}
		if !slices.Equal(dealt, got) {
			t.Errorf("%v was dealt out as %v", got, dealt)
		}
	}
}

// tinyLevels is a run of three full levels.
func tinyLevels() Config {
	c := tiny()
	c.Layout, c.Levels, c.Ratio = Levels, 3, 4
	c.Keys = 60_000
	c.Bits = []Bits{Off, 10}
	c.Plans = []bloom.Plan{bloom.Uniform, bloom.ByLevel}
	c.Families = []Family{Blocked, Ribbon}
	c.Lookups, c.PhaseTime = 10_000, 50*time.Millisecond
	return c
}

// TestLevelsRun: every row meets the same levels, at the same bits per key, and what is shared out by level with filters
// in planes wastes fewer reads.
func TestLevelsRun(t *testing.T) {
	c := tinyLevels()
	c.Lookups = c.Keys // enough to tell filters apart that are seldom wrong
	r := mustRun(t, c)
	checkCounters(t, r)
	want := shapeOf(c.Keys, c.Levels, c.Ratio)
	for i := range r.Rows {
		row := &r.Rows[i]
		var got shape
		for _, l := range row.Levels {
			got = append(got, int(l.Keys))
		}
		if !slices.Equal(got, want) || row.Levels[0].Level == 0 {
			t.Errorf("%s: levels %+v, want keys %v and none in level 0", row.Name(), row.Levels, want)
		}
		// A key outside a level's first and last, or between two of its tables, does not meet it.
		if checked := row.Absent.PerLookup(row.Absent.TablesChecked); checked < 2.98 {
			t.Errorf("%s: %.4f tables checked a lookup, of 3 levels", row.Name(), checked)
		}
		if row.Bits != Off && (row.Filter.BitsPerKey < 9.8 || row.Filter.BitsPerKey > 10.1) {
			t.Errorf("%s: %.3f bits per key", row.Name(), row.Filter.BitsPerKey)
		}
		if row.Filter.OutsideTheory {
			t.Errorf("%s: rate outside theory: %+v", row.Name(), row.Filter)
		}
	}
	waste := func(i int) float64 { return r.Rows[i].Absent.PerLookup(r.Rows[i].Absent.DiskReads) }
	if off, blocked, uniform, byLevel := waste(0), waste(1), waste(2), waste(3); off < 2.98 || blocked > off/50 ||
		uniform > blocked/2 || byLevel > 0.9*uniform {
		t.Errorf("reads an absent key: off %v, blocked %v, uniform ribbon %v, by level %v", off, blocked, uniform, byLevel)
	}
}

func TestLevelsAreValidated(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"0 levels: 1 to 6":           func(c *Config) { c.Levels = 0 },
		"7 levels: 1 to 6":           func(c *Config) { c.Levels = 7 },
		"2 times as large":           func(c *Config) { c.Ratio = 2 },
		"for the smallest level":     func(c *Config) { c.Levels = 6 },
		"101 times as large":         func(c *Config) { c.Ratio = 101 },
		"too few for 3 levels":       func(c *Config) { c.KeyFile = writeKeys(t, "few.txt", "a\nb\nc\nd\ne\n") },
		"no plan or no family of fi": func(c *Config) { c.Plans = nil },
	} {
		c := tinyLevels()
		change(&c)
		if _, err := Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
