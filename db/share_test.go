package db

import (
	"math"
	"testing"

	"siftdb/bloom"
	"siftdb/internal/manifest"
)

// drawn is a keeper of a store that is not open, and a view of tables that are only drawn: so many in each level from the
// given one down, of so many keys each, with filters of so many planes.
func drawn(plan bloom.Plan, bits float64, level, keys, planes int, tables ...int) (*keeper, *view) {
	db := newDB("store", Options{Filter: bloom.Ribbon(bits), FilterPlan: plan, FS: MemFiles()})
	v := &view{}
	number := uint64(0)
	for i, n := range tables {
		for range n {
			number++
			t := db.newTable(&manifest.Table{
				Number: number, Keys: uint64(keys), FilterPlanes: planes, FilterBits: uint64(planes * (keys + keys/20)), AskedBits: bits,
			})
			v.tables[level+i] = append(v.tables[level+i], t)
			db.live[number] = t
		}
	}
	return db.keeper, v
}

// planesOf is the share of each level, in planes a table on average, and of all tables in bits per key.
func planesOf(k *keeper, v *view) (levels [manifest.NumLevels]float64, bitsPerKey float64) {
	bits, keys := 0.0, 0.0
	byTable := make(map[*table]int)
	for _, s := range k.share(v) {
		byTable[s.table] = s.steps
		keys += float64(s.table.meta.Keys)
		if s.steps > 0 {
			bits += float64(s.table.steps()[s.steps-1].Bits)
		}
	}
	for level, tables := range v.tables {
		for _, t := range tables {
			levels[level] += float64(byTable[t]) / float64(len(tables))
		}
	}
	return levels, bits / keys
}

// TestUniformShares: each key has the same bits, within the one plane that some tables get and others do not.
func TestUniformShares(t *testing.T) {
	for _, bits := range []float64{0.5, 3, 10, 12.7, 16.8} {
		k, v := drawn(bloom.Uniform, bits, 3, 10_000, 16, 1, 7, 50)
		levels, perKey := planesOf(k, v)
		if perKey > bits || perKey < 0.95*bits {
			t.Errorf("%g bits per key: the share has %g", bits, perKey)
		}
		for _, s := range k.share(v) {
			if low := math.Floor(bits / 1.05); float64(s.steps) < low || float64(s.steps) > low+1 {
				t.Errorf("%g bits per key: a table with %d planes; by level %.1f", bits, s.steps, levels)
			}
		}
	}
}

// TestSharesByLevel: where levels grow tenfold, each has 3.3 planes more than the one below it, which halve its rate as
// often as there are more tables below (Dayan, Athanassoulis and Idreos, 2017).
func TestSharesByLevel(t *testing.T) {
	for _, plan := range []bloom.Plan{bloom.ByLevel, bloom.Adaptive} { // which begins there, before traffic is known
		for _, bits := range []float64{4, 8, 10} {
			k, v := drawn(plan, bits, 4, 10_000, 16, 5, 50, 500)
			levels, perKey := planesOf(k, v)
			if perKey > bits || perKey < 0.98*bits {
				t.Errorf("%v, %g bits per key: the share has %g", plan, bits, perKey)
			}
			for level := 4; level < 6; level++ {
				more := levels[level] - levels[level+1]
				if full := levels[level] == 16; math.Abs(more-math.Log2(10)) > 0.7 && !full {
					t.Errorf("%v, %g bits per key: level %d has %.2f planes more than the next; by level %.2f",
						plan, bits, level, more, levels)
				}
			}
		}
	}
}
