package db

import (
	"siftdb/bloom"
	"siftdb/internal/manifest"
)

// offer takes the filter that was built with a table which is not in the store yet, so that reads have it from the
// table's first moment on. Of planes it keeps as many as the bits per key pay for on average, and all within the
// limit; the next balance has the rest of the say.
func (k *keeper) offer(number uint64, filter bloom.TableFilter) {
	if e, ok := filter.(*bloom.Elastic); ok {
		filter = firstPlanes(e, k.planesToOffer(e))
	}
	if filter == nil || filter.Bits() == 0 {
		return
	}
	loaded := newLoaded(filter)
	k.mu.Lock()
	defer k.mu.Unlock()
	if loaded.size() <= k.booked.room(k.limit) {
		k.booked.offer(number, loaded)
	}
}

// planesToOffer is how many planes of e the bits per key pay for, at least one, as far as there is room.
func (k *keeper) planesToOffer(e *bloom.Elastic) int {
	k.mu.Lock()
	defer k.mu.Unlock()
	paid := k.bits * float64(e.Keys()) / float64(e.PlaneBits())
	return int(min(max(1, paid), float64(max(0, k.booked.room(k.limit)))*8/float64(e.PlaneBits())))
}

// withdraw forgets what was offered for tables that do not come into the store.
func (k *keeper) withdraw(built []*manifest.Table) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, meta := range built {
		k.booked.withdraw(meta.Number)
	}
}

// withdrawBeyond gives up offers until those that are left are within the limit. k.mu is held.
func (k *keeper) withdrawBeyond(limit int64) {
	for number := range k.booked.offers {
		if limit == 0 || k.booked.offered <= limit {
			return
		}
		k.booked.withdraw(number)
	}
}

// take gives a table that comes into the store what was offered for it.
func (k *keeper) take(t *table) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if loaded := k.booked.withdraw(t.meta.Number); loaded != nil {
		k.booked.add(t, loaded.size())
		t.show(loaded)
	}
}
