package db

import (
	"errors"
	"math/bits"

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

// grow loads what t lacks of steps, as far as the limit allows. It may run for several tables at once.
func (k *keeper) grow(t *table, steps int) {
	r, err := k.db.tables.reader(t)
	switch {
	case err != nil:
		k.tryAgain(k.db.noted(err)) // the table's fault, not the filter's
	case t.meta.FilterPlanes > 1:
		k.growPlanes(t, r, steps)
	default:
		k.loadWhole(t, r)
	}
}

// loadWhole loads a filter that is not divided.
func (k *keeper) loadWhole(t *table, r *sstable.Reader) {
	bytes := int64((t.meta.FilterBits + 7) / 8)
	if !k.book(t, bytes) {
		return
	}
	k.loads.Add(1)
	filter, err := r.LoadFilter()
	if err != nil || filter == nil {
		k.giveBack(t, bytes)
		t.unusable.Store(damage(err))
		k.failed(t, err)
		return
	}
	loaded := newLoaded(filter)
	k.giveBack(t, bytes-loaded.size())
	t.show(loaded)
}

// growPlanes loads planes until steps of them are in memory, with one read for those that lie side by side. Others
// stand in for planes that are damaged.
func (k *keeper) growPlanes(t *table, r *sstable.Reader, steps int) {
	e, err := k.elastic(t, r, steps)
	for err == nil && e != nil && e.Resident() < steps {
		first, end := t.lacking(e, steps-e.Resident())
		end = first + k.bookPlanes(t, end-first)
		if first == end {
			return // there are no more, or there is no room
		}
		k.loads.Add(1)
		e, err = r.LoadPlanes(e, first, end)
		err = k.showPlanes(t, e, first, end, err)
	}
	k.failed(t, err)
}

// elastic is what is in memory of t's planes. If that is nothing, it loads the head and the first planes, steps of them
// or as many as there is room for. Without an error it can be nil: a filter that is not in planes, whatever the
// manifest says.
func (k *keeper) elastic(t *table, r *sstable.Reader, steps int) (*bloom.Elastic, error) {
	if loaded := t.resident.Load(); loaded != nil {
		return loaded.TableFilter.(*bloom.Elastic), nil
	}
	n := k.bookPlanes(t, steps)
	k.loads.Add(1)
	e, err := r.LoadElastic(n, t.meta.FilterPlanes)
	if e == nil {
		k.giveBack(t, int64(n)*t.planeBytes())
		t.unusable.Store(damage(err))
		return nil, err
	}
	return e, k.showPlanes(t, e, 0, n, err)
}

// lacking is the first run of planes that are neither in e nor damaged, n of them at most; an empty one if
// there are none.
func (t *table) lacking(e *bloom.Elastic, n int) (first, end int) {
	lacks := func(i int) bool { return i < e.Planes() && !e.Has(i) && !t.badPlane(i) }
	for first < e.Planes() && !lacks(first) {
		first++
	}
	for end = first; end-first < n && lacks(end); {
		end++
	}
	return first, end
}

// badPlane says whether plane i is known to be damaged.
func (t *table) badPlane(i int) bool { return t.badPlanes.Load()&(1<<i) != 0 }

// bookPlanes books memory for n planes of t, or as many as there is room for.
func (k *keeper) bookPlanes(t *table, n int) int {
	for n > 0 && !k.book(t, int64(n)*t.planeBytes()) {
		n--
	}
	return n
}

// planeBytes is the memory of one plane of t's filter.
func (t *table) planeBytes() int64 {
	return int64(t.meta.FilterBits/uint64(t.meta.FilterPlanes)+7) / 8
}

// showPlanes shows e to reads: t's planes in memory, those with it that were loaded out of first up to, and without,
// end. What was booked for others of these is given back, and those that are damaged are noted. The error is err if the
// read failed.
func (k *keeper) showPlanes(t *table, e *bloom.Elastic, first, end int, err error) error {
	n := e.Resident() - t.resident.Load().steps()
	k.giveBack(t, int64(end-first-n)*t.planeBytes())
	if n > 0 {
		t.show(newLoaded(e))
	}
	if !damage(err) {
		return err
	}
	for i := first; i < end; i++ {
		if !e.Has(i) {
			t.badPlanes.Or(1 << i)
		}
	}
	if bits.OnesCount64(t.badPlanes.Load()) == e.Planes() {
		t.unusable.Store(true)
	}
	k.report(t, err)
	return nil
}

// failed notes what kept a filter from being loaded.
func (k *keeper) failed(t *table, err error) {
	if damage(err) {
		k.report(t, err)
	} else {
		k.tryAgain(err)
	}
}

// damage says whether err is of a kind that stays: the bytes are damaged or unknown.
func damage(err error) bool {
	return errors.Is(err, corrupt.ErrCorrupt) || errors.Is(err, bloom.ErrUnknown)
}

// report notes that a table's filter, or a plane of it, cannot be used: reads go on without, and say so once.
func (k *keeper) report(t *table, err error) {
	if !t.problem.CompareAndSwap(nil, &err) {
		return
	}
	k.problems.Add(1)
	k.db.opts.Logger.Warn("siftdb: filter not usable, reading without it", "table", t.file.name, "err", err)
}

// tryAgain has the next look try what failed for a reason that may pass.
func (k *keeper) tryAgain(err error) {
	if err == nil || damage(err) || errors.Is(err, ErrClosed) {
		return
	}
	k.db.stats.backgroundErrors.Add(1)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.failure == nil {
		k.failure = err
	}
}
