package db

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestY(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memStore(t, planed)
		filterKeys(t, store, 50_000)
		flush(t, store)
		synctest.Wait()
		loaded(t, store)
		t.Log(residents(store))
		for round := range 10 {
			before := store.Metrics()
			for i := range 20_000 {
				store.Has(filterKey(2*(i%10000) + 1))
			}
			time.Sleep(time.Second)
			synctest.Wait()
			d := store.Metrics().Sub(before)
			t.Log(round, d.FilterLoads, d.FilterDrops, residents(store))
		}
	})
}
