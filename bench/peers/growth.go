package main

import "fmt"

// point is where growth is measured: all is as everywhere else but for what the axis says.
type point struct {
	Axis       string
	At         int
	Keys       int
	ValueBytes int
	FilterBits int
}

// The axes along which cost grows.
const (
	axisKeys       = "keys"
	axisValueSize  = "value size"
	axisGoroutines = "goroutines"
	axisFilterBits = "bits a key"
)

var allAxes = []string{axisKeys, axisValueSize, axisGoroutines, axisFilterBits}

// extent is how much is measured.
type extent struct {
	keys       []int
	valueSizes []int
	dataBytes  int // of keys and values, where the values' size grows: the number of keys follows
	goroutines []int
	filterBits []int
	others     int // keys where their number is not what grows
}

var (
	wholeExtent = extent{
		keys:       []int{100_000, 1_000_000, 10_000_000},
		valueSizes: []int{16, 64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10},
		dataBytes:  256 << 20,
		goroutines: []int{1, 2, 4, 8, 16},
		filterBits: []int{1, 2, 4, 6, 8, 10, 12, 16, 20, 24},
		others:     1_000_000,
	}
	quickExtent = extent{
		keys:       []int{10_000, 30_000, 100_000},
		valueSizes: []int{16, 1 << 10, 64 << 10},
		dataBytes:  16 << 20,
		goroutines: []int{1, 4, 16},
		filterBits: []int{1, 4, 10, 24},
		others:     50_000,
	}
)

// points are where to measure. Goroutines have one point, since all their numbers work on the same store.
func (e extent) points() (points []point) {
	plain := point{Keys: e.others, ValueBytes: valueSize, FilterBits: equalSettings.FilterBits}
	add := func(axis string, at int, change func(p *point)) {
		p := plain
		p.Axis, p.At = axis, at
		change(&p)
		points = append(points, p)
	}
	for _, n := range e.keys {
		add(axisKeys, n, func(p *point) { p.Keys = n })
	}
	for _, size := range e.valueSizes {
		add(axisValueSize, size, func(p *point) {
			p.ValueBytes, p.Keys = size, min(e.others, e.dataBytes/(keySize+size))
		})
	}
	add(axisGoroutines, e.goroutines[len(e.goroutines)-1], func(*point) {})
	for _, bits := range e.filterBits {
		add(axisFilterBits, bits, func(p *point) { p.FilterBits = bits })
	}
	return points
}

// growth measures what one operation of each kind costs at a point, on a store that came to rest after it was filled.
func (w *worker) growth() error {
	if w.Point.Axis == axisGoroutines {
		return w.growthByGoroutines()
	}
	err := w.phase(growthPut, 1, w.Keys, func(l *lane, n int) error { return l.fill(w.scattered(n)) })
	if err == nil {
		err = w.store.Settle()
	}
	if err != nil {
		return err
	}
	return w.growthOfReads(1)
}

// growthByGoroutines has more and more goroutines work on one store. Its writes are of keys that are there, so that the
// store stays as large.
func (w *worker) growthByGoroutines() error {
	if _, err := w.lanes(1)[0].run(w.Keys, func(l *lane, n int) error { return l.fill(w.scattered(n)) }); err != nil {
		return err
	}
	most := w.Point.At
	for threads := 1; threads <= most; threads *= 2 {
		w.Point.At = threads
		if err := w.store.Settle(); err != nil {
			return err
		}
		if err := w.growthOfReads(threads); err != nil {
			return err
		}
		err := w.phase(growthPut, threads, w.Keys, func(l *lane, _ int) error {
			return l.put(l.rng.IntN(w.Keys/threads)*threads + l.number) // keys of its own
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// The phases of measurements of growth.
const (
	growthPut     = "put"
	growthAbsent  = "read absent"
	growthPresent = "read present"
	growthSeek    = "seek + 10"
)

// growthOfReads reads keys that are there before it measures. Otherwise the first reads of blocks would fall into the
// phase of a store that has answered absent keys from its filters, and not into that of one which has read blocks to
// answer them.
func (w *worker) growthOfReads(threads int) error {
	// Large values take long: about as many bytes are read of each size.
	ops := min(200_000, max(2_000, 512<<20/w.valueSize), 4*w.Keys)
	before := w.lanes(1)[0]
	if _, err := before.run(ops, func(l *lane, _ int) error { return l.get(l.present()) }); err != nil {
		return fmt.Errorf("%s at %d: %w", w.Point.Axis, w.Point.At, err)
	}
	for _, phase := range []struct {
		name string
		ops  int
		do   func(l *lane, n int) error
	}{
		{growthAbsent, 200_000, func(l *lane, _ int) error { return l.miss(l.present()) }},
		{growthPresent, ops / 2, func(l *lane, _ int) error { return l.get(l.present()) }},
		{growthSeek, ops / 10, func(l *lane, _ int) error { return l.scan(l.present(), 10) }},
	} {
		if err := w.phase(phase.name, threads, phase.ops, phase.do); err != nil {
			return fmt.Errorf("%s at %d: %w", w.Point.Axis, w.Point.At, err)
		}
	}
	return nil
}
