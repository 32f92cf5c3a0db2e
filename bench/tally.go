package bench

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"siftdb/db"
)

// tally adds up lookups and what the store counted for them.
type tally struct {
	phase     Phase
	histogram *hdrhistogram.Histogram // nanoseconds
	spent     time.Duration
	expected  float64 // false passes, by theory
}

// slowestLookup is the longest time that a histogram tells from longer ones.
const slowestLookup = 10 * time.Minute

func newTally() *tally {
	return &tally{histogram: hdrhistogram.New(1, int64(slowestLookup), 3)}
}

// record adds one lookup.
func (t *tally) record(took time.Duration) {
	t.phase.Lookups++
	t.spent += took
	// The only error is a value out of range, which min rules out.
	_ = t.histogram.RecordValue(int64(min(took, slowestLookup)))
}

// count adds what the store counted during lookups.
func (t *tally) count(m db.Metrics) {
	p := &t.phase
	p.TablesChecked += m.Filter.Checks + m.UnfilteredProbes.Total()
	p.FilterChecks += m.Filter.Checks
	p.ReadsSkipped += m.Filter.BlockReadsSkipped
	p.TruePasses += m.Filter.TruePasses
	p.FalsePasses += m.Filter.FalsePasses
	p.DiskReads += m.TableReads - m.WarmUpReads
	p.BytesRead += m.TableBytesRead - m.WarmUpBytesRead
	p.TableOpens += m.TableOpens
	p.CacheHits += m.CacheHits
	p.CacheMisses += m.CacheMisses
	t.expected += m.Filter.Expected() * float64(m.Filter.Skips+m.Filter.FalsePasses)
}

// result is the sum of all that was added.
func (t *tally) result() Phase {
	p := t.phase
	h := t.histogram
	p.Latency = Latency{
		P50:  time.Duration(h.ValueAtQuantile(50)),
		P99:  time.Duration(h.ValueAtQuantile(99)),
		P999: time.Duration(h.ValueAtQuantile(99.9)),
		Max:  time.Duration(h.Max()),
	}
	if p.Lookups > 0 && t.spent > 0 {
		p.Latency.Mean = t.spent / time.Duration(p.Lookups)
		p.Latency.PerSecond = float64(p.Lookups) / t.spent.Seconds()
	}
	return p
}
