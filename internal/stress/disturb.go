package stress

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"siftdb/db"
)

// disturb does what must not change an answer, one thing after the other.
func (w *worker) disturb(ctx context.Context) error {
	rng := w.round.rng(2)
	for pause(ctx, time.Duration(rng.IntN(40))*time.Millisecond) {
		if err := w.putUpWith(w.disturbOnce(ctx, rng)); err != nil {
			return err
		}
	}
	return nil
}

func (w *worker) disturbOnce(ctx context.Context, rng *rand.Rand) error {
	switch rng.IntN(12) {
	case 0, 1:
		return w.store.Flush(ctx)
	case 2, 3:
		return w.store.Compact(ctx, db.Prefix(writerPrefix(rng.IntN(writers))))
	case 4:
		return w.store.Compact(ctx, db.Range{})
	case 5, 6:
		return w.store.SetBitsPerKey(float64(2 + rng.IntN(16)))
	case 7:
		return w.store.SetFilterMemory(pick[int64](rng, 0, 1<<10, 16<<10, 1<<20))
	case 8:
		return w.store.LoadFilters(ctx)
	case 9:
		return w.store.RebuildFilters(ctx, drawOptions(rng).Filter)
	case 10:
		return w.verify(ctx)
	}
	return w.looksSane()
}

func (w *worker) verify(ctx context.Context) error {
	for table, err := range w.store.Verify(ctx) {
		if err != nil {
			return fmt.Errorf("verifying %q: %w", table.File, err)
		}
	}
	return nil
}

// looksSane compares numbers that can be told from each other whatever goes on.
func (w *worker) looksSane() error {
	m := w.filtersWithinLimit()
	if overLimit(m) {
		return wrongf("filters take %d bytes, the limit is %d", m.FilterBytes, m.FilterLimit)
	}
	for name, n := range map[string]int64{
		"checks": m.Filter.Checks, "skips": m.Filter.Skips, "filter bytes": m.FilterBytes, "cache bytes": m.CacheBytes,
		"memtable bytes": m.MemTableBytes, "disk bytes": m.DiskBytes, "debt": m.CompactionDebt,
		"obsolete bytes": m.ObsoleteBytes,
	} {
		if n < 0 || n > 1<<50 {
			return wrongf("the metrics count %d %s", n, name)
		}
	}
	for table := range w.store.Tables() {
		if table.Entries == 0 || table.Size <= 0 {
			return wrongf("table %s has %d entries in %d bytes", table.File, table.Entries, table.Size)
		}
	}
	return nil
}

func overLimit(m db.Metrics) bool { return m.FilterLimit > 0 && m.FilterBytes > m.FilterLimit }

// filtersWithinLimit are the metrics once filters are within their limit, or of a store where that takes far too long:
// of a limit that was just lowered, the store only promises that what is above it goes within moments, and files
// may be slow.
func (w *worker) filtersWithinLimit() (m db.Metrics) {
	for deadline := time.Now().Add(patience / 3); ; time.Sleep(time.Millisecond) {
		if m = w.store.Metrics(); !overLimit(m) || time.Now().After(deadline) {
			return m
		}
	}
}
