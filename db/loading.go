package db

import (
	"errors"

	"siftdb/bloom"
	"siftdb/internal/corrupt"
	"siftdb/sstable"
)

// dropRetired drops the filters of tables that are not in the store any more.
func (k *keeper) dropRetired() {
	k.mu.Lock()
	var retired []*table
	for t := range k.booked.by {
		if t.retired.Load() {
			retired = append(retired, t)
		}
	}
	k.mu.Unlock()
	for _, t := range retired {
		k.shrink(t, 0)
	}
}

// shrink drops what t has in memory beyond steps.
func (k *keeper) shrink(t *table, steps int) {
	loaded := t.resident.Load()
	if loaded.steps() <= steps {
		return
	}
	var less *loadedFilter
	if e, ok := loaded.TableFilter.(*bloom.Elastic); ok && steps > 0 {
		less = newLoaded(firstPlanes(e, steps))
	}
	t.show(less)
	k.giveBack(t, loaded.size()-less.size())
	k.drops.Add(1)
}

// firstPlanes is e with its first resident planes only, n of them.
func firstPlanes(e *bloom.Elastic, n int) *bloom.Elastic {
	for i := e.Planes() - 1; i >= 0 && e.Resident() > n; i-- {
		if e.Has(i) {
			e = e.Without(i)
		}
	}
	return e
}

// grow loads what t lacks of steps, as far as the limit allows. What cannot be read is left for a later round.
func (k *keeper) grow(t *table, steps int) {
	if t.resident.Load().steps() >= steps {
		return
	}
	r, err := k.db.tables.reader(t)
	if err != nil {
		k.tryAgain(t, k.db.noted(err)) // the table's fault, not the filter's
		return
	}
	load := k.loadWhole
	if t.meta.FilterPlanes > 1 {
		load = func(t *table, r *sstable.Reader) error { return k.growPlanes(t, r, steps) }
	}
	if err := load(t, r); damage(err) {
		k.report(t, err)
	} else {
		k.tryAgain(t, err)
	}
}

// tryAgain has the next look try what failed for a reason that may pass.
func (k *keeper) tryAgain(t *table, err error) {
	if err == nil || damage(err) || errors.Is(err, ErrClosed) {
		return
	}
	k.again = true
	k.db.stats.backgroundErrors.Add(1)
	k.db.opts.Logger.Warn("siftdb: filter not loaded, will be tried again", "table", t.file.name, "err", err)
}

// loadWhole loads a filter that is not divided.
func (k *keeper) loadWhole(t *table, r *sstable.Reader) error {
	bytes := int64((t.meta.FilterBits + 7) / 8)
	if !k.book(t, bytes) {
		return nil
	}
	k.loads.Add(1)
	filter, err := r.LoadFilter()
	if err != nil || filter == nil {
		k.giveBack(t, bytes)
		t.unusable.Store(damage(err))
		return err
	}
	loaded := newLoaded(filter)
	k.giveBack(t, bytes-loaded.size())
	t.show(loaded)
	return nil
}

// growPlanes loads planes until steps of them are in memory, with one read for those that lie side by side.
func (k *keeper) growPlanes(t *table, r *sstable.Reader, steps int) error {
	e, err := k.elastic(t, r)
	if err != nil {
		return err
	}
	plane := int64(e.PlaneBits()+7) / 8
	for first := 0; first < e.Planes() && e.Resident() < steps; {
		end := t.lacking(e, first, steps-e.Resident())
		for end > first && !k.book(t, plane*int64(end-first)) {
			end--
		}
		if end == first {
			if e.Has(first) || t.badPlane(first) {
				first++
				continue
			}
			break // no room
		}
		k.loads.Add(1)
		with, loadErr := r.LoadPlanes(e, first, end)
		k.giveBack(t, plane*int64(end-first-(with.Resident()-e.Resident())))
		err = errors.Join(err, loadErr)
		if with.Resident() > e.Resident() {
			t.show(newLoaded(with))
		}
		if loadErr != nil && !damage(loadErr) {
			break
		}
		for i := first; i < end; i++ {
			if !with.Has(i) {
				t.badPlanes.Or(1 << i)
			}
		}
		e, first = with, end
	}
	return err
}

// elastic is what is in memory of t's planes, or its head.
func (k *keeper) elastic(t *table, r *sstable.Reader) (*bloom.Elastic, error) {
	if loaded := t.resident.Load(); loaded != nil {
		return loaded.TableFilter.(*bloom.Elastic), nil
	}
	k.loads.Add(1)
	e, err := r.LoadElastic()
	if err != nil {
		t.unusable.Store(damage(err))
	}
	return e, err
}

// lacking is the end of the run of planes from first on that are neither in e nor damaged, at most n.
func (t *table) lacking(e *bloom.Elastic, first, n int) (end int) {
	for end = first; end < e.Planes() && end-first < n && !e.Has(end) && !t.badPlane(end); {
		end++
	}
	return end
}

// badPlane says whether plane i is known to be damaged.
func (t *table) badPlane(i int) bool { return t.badPlanes.Load()&(1<<i) != 0 }

// damage says whether err is of a kind that stays: the bytes are damaged or unknown.
func damage(err error) bool {
	return errors.Is(err, corrupt.ErrCorrupt) || errors.Is(err, bloom.ErrUnknown)
}

// report notes that a table's filter, or a plane of it, cannot be used: reads go on without, and say so once.
func (k *keeper) report(t *table, err error) {
	t.problem.CompareAndSwap(nil, &err)
	if !damage(err) || !t.reported.CompareAndSwap(false, true) {
		return
	}
	k.problems.Add(1)
	k.db.opts.Logger.Warn("siftdb: filter not usable, reading without it", "table", t.file.name, "err", err)
}
