package db

import (
	"siftdb/bloom"
	"siftdb/internal/manifest"
)

// offer takes the filter that was built with a table which is not in the store yet, so that reads have it from the
// table's first moment on. Of planes it keeps as many as the bits per key pay for on average, and all within the
// limit; the next balance has the rest of the say.
func (k *keeper) offer(number uint64, filter bloom.TableFilter) {
	if filter == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if e, ok := filter.(*bloom.Elastic); ok {
		planes := k.bits * float64(e.Keys()) / max(1, float64(e.PlaneBits()))
		filter = firstPlanes(e, max(1, int(planes)))
	}
	loaded := newLoaded(filter)
	if !k.booked.fits(loaded.size(), k.limit) {
		return
	}
	k.booked.total += loaded.size()
	k.offered[number] = loaded
}

// withdraw forgets what was offered for tables that do not come into the store.
func (k *keeper) withdraw(built []*manifest.Table) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, meta := range built {
		if loaded := k.offered[meta.Number]; loaded != nil {
			k.booked.total -= loaded.size()
			delete(k.offered, meta.Number)
		}
	}
}

// take gives a table that comes into the store what was offered for it.
func (k *keeper) take(t *table) {
	k.mu.Lock()
	defer k.mu.Unlock()
	loaded := k.offered[t.meta.Number]
	if loaded == nil {
		return
	}
	delete(k.offered, t.meta.Number)
	k.booked.total -= loaded.size()
	k.booked.add(t, loaded.size())
	t.show(loaded)
}
