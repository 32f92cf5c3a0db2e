package db

import (
	"context"
	"fmt"
	"testing"
)

// TestTrafficOfRetiredTablesIsForgotten: what the keeper remembers is of tables that are in the store, however many
// have come and gone, also while a view keeps old ones.
func TestTrafficOfRetiredTablesIsForgotten(t *testing.T) {
	store := memStore(t)
	for round := range 20 {
		fill(t, store, 500, 100, fmt.Sprint(round))
		it := store.NewIter(Range{})
		for i := range 100 {
			store.Get(fmt.Appendf(nil, "key%06dx", i))
		}
		flush(t, store)
		store.keeper.lookAtTraffic()
		check(t, it.Close())
	}
	check(t, store.Compact(context.Background(), Range{}))
	quiet(t, store)
	k := store.keeper
	k.mu.Lock()
	defer k.mu.Unlock()
	for table := range k.traffic {
		if table.retired.Load() {
			t.Errorf("%s is gone and remembered", table.fileName())
		}
	}
}
