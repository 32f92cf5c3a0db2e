package db

import (
	"context"
	"testing"

	"siftdb/internal/fsys"
)

// TestDebtIsWorkedOff: what piles up for compactions is told in bytes, and none is left when none of them is due.
func TestDebtIsWorkedOff(t *testing.T) {
	store := openStore(t, fsys.NewMem(), func(o *Options) { o.NoCompaction = true })
	if debt := store.Metrics().CompactionDebt; debt != 0 {
		t.Errorf("an empty store has a debt of %d bytes", debt)
	}
	for range 8 {
		fill(t, store, 200, 100, "")
		flush(t, store)
	}
	m := store.Metrics()
	if m.CompactionDebt < m.Levels[0].Bytes {
		t.Errorf("a debt of %d bytes, and %d tables of %d bytes are in level 0",
			m.CompactionDebt, m.Levels[0].Tables, m.Levels[0].Bytes)
	}
	check(t, store.Compact(context.Background(), Range{}))
	if debt := store.Metrics().CompactionDebt; debt != 0 {
		t.Errorf("a compacted store has a debt of %d bytes", debt)
	}
}
