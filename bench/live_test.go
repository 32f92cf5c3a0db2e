package bench

import (
	"math"
	"strings"
	"testing"

	"siftdb/bloom"
)

// TestLiveChanges: bits per key change under lookups, without a table written or a data block read for it, and rates
// follow.
func TestLiveChanges(t *testing.T) {
	c := tinyLevels()
	c.Live, c.Plans, c.Families = []Bits{10, 6, 12}, []bloom.Plan{bloom.ByLevel}, []Family{Ribbon}
	c.Lookups = 20_000
	r, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Live) != 2 || len(r.Rows) != 0 {
		t.Fatalf("%d changes and %d rows", len(r.Live), len(r.Rows))
	}
	for _, change := range r.Live {
		if change.FilesWritten != 0 || change.OtherReads != 0 {
			t.Errorf("%s to %s bits: %d files written, %d reads beside those of filters and lookups",
				change.From, change.To, change.FilesWritten, change.OtherReads)
		}
		if share := float64(change.Bytes) / float64(change.Budget); share < closeEnough || share > littleMore {
			t.Errorf("%s to %s bits: %d bytes of filters, of %d", change.From, change.To, change.Bytes, change.Budget)
		}
		wasted := func(p *Phase) float64 { return p.PerLookup(p.DiskReads) }
		if before, after := wasted(&change.Before), wasted(&change.After); before == after ||
			(before > after) != (change.From < change.To) {
			t.Errorf("%s to %s bits: %v reads an absent key before, %v after", change.From, change.To, before, after)
		}
		reads, expected := float64(change.After.DiskReads), change.AfterTheory*float64(change.After.Lookups)
		if math.Abs(reads-expected) > 4*math.Sqrt(expected)+4 {
			t.Errorf("%s bits: %v reads for nothing, by theory %v", change.To, reads, expected)
		}
		if last := change.Course[len(change.Course)-1]; last.Bytes != change.Bytes || change.Course[0].After != 0 {
			t.Errorf("%s to %s bits: %d bytes in the end, the course was %v", change.From, change.To, change.Bytes, change.Course)
		}
		if (change.FilterReads > 0) != (change.From < change.To) {
			t.Errorf("%s to %s bits: %d reads of filters", change.From, change.To, change.FilterReads)
		}
	}
	if r.Live[0].To != 6 || r.Live[1].From != 6 || r.Live[1].To != 12 {
		t.Errorf("changes %+v", r.Live)
	}
}

func TestLiveIsValidated(t *testing.T) {
	for _, bits := range [][]Bits{{10}, {10, Off}} {
		c := tinyLevels()
		c.Live = bits
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "two or more settings") {
			t.Errorf("%v: %v", bits, err)
		}
	}
}
