package bench

import (
	"testing"

	"siftdb/bloom"
)

// TestKindsInTurns: with a share of hits the kinds take turns, in that share, and are told apart.
func TestKindsInTurns(t *testing.T) {
	c := tiny()
	c.Hits, c.Lookups, c.Warmup = 0.9, 2345, 500
	r := mustRun(t, c)
	checkCounters(t, r)
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Absent.Lookups != 234 || row.Present.Lookups != 2111 {
			t.Errorf("%s: %d absent and %d present lookups", row.Name(), row.Absent.Lookups, row.Present.Lookups)
		}
		if row.Absent.TruePasses != 0 || row.Bits != Off && row.Present.TruePasses != row.Present.Lookups {
			t.Errorf("%s: %d absent keys found, %d present ones", row.Name(), row.Absent.TruePasses, row.Present.TruePasses)
		}
		if row.Filter.Probes != row.Absent.ReadsSkipped+row.Absent.FalsePasses || row.Filter.OutsideTheory {
			t.Errorf("%s: %+v", row.Name(), row.Filter)
		}
	}
}

// TestAdaptiveWastesLess: where some keys are looked up more than others, memory that follows them saves more.
func TestAdaptiveWastesLess(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for the store to look at its traffic")
	}
	c := tinyLevels()
	c.Bits, c.Families, c.Plans = []Bits{6}, []Family{Ribbon}, []bloom.Plan{bloom.ByLevel, bloom.Adaptive}
	c.Traffic, c.Ranges, c.Warmup, c.Lookups, c.Rounds = ZipfTraffic, 100, 50_000, 50_000, 0
	r := mustRun(t, c)
	byLevel, adaptive := &r.Rows[0], &r.Rows[1]
	if adaptive.Waste.Absent > 0.8*byLevel.Waste.Absent || adaptive.Filter.BitsPerKey > 6.1 {
		t.Errorf("reads for nothing an absent key: by level %.5f at %.2f bits, adaptive %.5f at %.2f",
			byLevel.Waste.Absent, byLevel.Filter.BitsPerKey, adaptive.Waste.Absent, adaptive.Filter.BitsPerKey)
	}
	t.Logf("by level %+v, adaptive %+v", byLevel.Waste, adaptive.Waste)
}
