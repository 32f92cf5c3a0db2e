package main

import (
	"fmt"
	"os"
	"sync/atomic"

	"siftdb/bench/peers/rows"
)

// main is the part that most rows come from: a store is filled at random, read as it is, compacted, and read again.
func (w *worker) main() error {
	for _, phase := range []func() error{
		w.fillRandom, w.readLoaded, w.compact, w.readCompacted, w.scans, w.cold, w.readWhileWriting, w.ycsb,
	} {
		if err := phase(); err != nil {
			return err
		}
	}
	return nil
}

func (w *worker) fillRandom() error { return w.fillAndOverwrite(w.Keys / 2) }

// amplification writes each key twice on average, so that compactions have something to drop.
func (w *worker) amplification() error { return w.fillAndOverwrite(w.Keys) }

// fillAndOverwrite writes each key, then overwrites so many that are drawn, and has the store come to rest.
func (w *worker) fillAndOverwrite(overwrites int) error {
	err := w.phase("fill random", 1, w.Keys, func(l *lane, n int) error { return l.fill(w.scattered(n)) })
	if err != nil {
		return err
	}
	err = w.phase("overwrite random", 1, overwrites, func(l *lane, _ int) error { return l.put(l.present()) })
	if err != nil {
		return err
	}
	return w.once("settle", w.store.Settle)
}

func (w *worker) readLoaded() error { return w.reads("as loaded") }

func (w *worker) compact() error { return w.once("compact", w.store.Compact) }

func (w *worker) readCompacted() error { return w.reads("compacted") }

// reads are reads of absent and of present keys by one and by two goroutines, and of present keys by Zipf's law.
func (w *worker) reads(state string) error {
	for _, threads := range []int{1, 2} {
		err := w.phase("read absent, "+state, threads, w.Keys/2,
			func(l *lane, _ int) error { return l.miss(l.present()) })
		if err != nil {
			return err
		}
		err = w.phase("read present, "+state, threads, w.Keys/4,
			func(l *lane, _ int) error { return l.get(l.present()) })
		if err != nil {
			return err
		}
	}
	z := newZipf(w.Keys)
	return w.phase("read zipfian present, "+state, 1, w.Keys/4,
		func(l *lane, _ int) error { return l.get(z.key(l.rng)) })
}

func (w *worker) scans() error {
	for _, length := range []int{10, 100} {
		name := fmt.Sprintf("seek + %d", length)
		err := w.phase(name, 1, w.Keys/10/length*3, func(l *lane, _ int) error { return l.scan(l.present(), length) })
		if err != nil {
			return err
		}
	}
	row, err := w.measure("full scan", 1, 1, func(l *lane, _ int) error { return l.scan(0, w.contents.keys) })
	if err != nil {
		return err
	}
	row.Ops = int64(w.contents.keys) // entries
	return w.write(row)
}

// cold reads through a store that was just opened, on a machine whose file cache holds none of it. Some stores read
// much of their files when they are opened: that is a phase of its own. Where the cache cannot be dropped, there are no
// such rows.
func (w *worker) cold() error {
	open := func(*lane, int) error { return w.open(w.settings) }
	if dropped, err := w.reopen(func() error { return w.phase("open, cold", 1, 1, open) }); err != nil || !dropped {
		return err
	}
	err := w.phase("read absent, cold", 1, w.Keys/100, func(l *lane, _ int) error { return l.miss(l.present()) })
	if err != nil {
		return err
	}
	if dropped, err := w.reopen(func() error { return w.open(w.settings) }); err != nil || !dropped {
		return err
	}
	return w.phase("read present, cold", 1, w.Keys/100, func(l *lane, _ int) error { return l.get(l.present()) })
}

// reopen closes the store, drops what the system's file cache has, if it may, and has open open the store again. Where
// the cache cannot be dropped, it says so and opens the store by itself.
func (w *worker) reopen(open func() error) (dropped bool, err error) {
	if err := w.store.Close(); err != nil {
		return false, err
	}
	if err := w.dropCache(); err != nil {
		fmt.Fprintln(os.Stderr, "cold phases are left out, they need root on linux:", err)
		return false, w.open(w.settings)
	}
	return true, open()
}

// readWhileWriting has one goroutine read present keys while another overwrites keys for as long.
func (w *worker) readWhileWriting() error {
	var stop atomic.Bool
	writing := make(chan error)
	var writes atomic.Int64
	go func() {
		l := newLane(w.store, w.contents, w.Seed, 100)
		for !stop.Load() {
			if err := l.put(l.present()); err != nil {
				writing <- err
				return
			}
			writes.Add(1)
		}
		writing <- nil
	}()
	row, err := w.measure("read while writing", 1, w.Keys/8, func(l *lane, _ int) error { return l.get(l.present()) })
	written := writes.Load()
	stop.Store(true)
	if writeErr := <-writing; err == nil {
		err = writeErr
	}
	if err != nil {
		return err
	}
	if err := w.write(row); err != nil {
		return err
	}
	return w.write(rows.Row{Phase: "write while reading", Threads: 1, Ops: written, Seconds: row.Seconds})
}

// sequential fills a store in the order of keys, then deletes half of them in another order.
func (w *worker) sequential() error {
	if err := w.phase("fill sequential", 1, w.Keys, func(l *lane, n int) error { return l.fill(n) }); err != nil {
		return err
	}
	err := w.phase("delete random", 1, w.Keys/2, func(l *lane, n int) error {
		return l.remove(w.scattered(n))
	})
	if err != nil {
		return err
	}
	left, err := w.store.Scan(nil, w.Keys, func(_, _ []byte) {})
	if want := w.Keys - w.Keys/2; err == nil && left != want {
		err = fmt.Errorf("%d keys are left after deleting half of %d, not %d", left, w.Keys, want)
	}
	return err
}

// batches fills a store at random, a hundred keys at once.
func (w *worker) batches() error {
	const size = 100
	pairs := make([]Pair, size)
	row, err := w.measure("batches of 100", 1, w.Keys/size, func(l *lane, n int) error {
		for i := range pairs {
			at := w.scattered(n*size + i)
			pairs[i].Key = appendPresentKey(pairs[i].Key[:0], at)
			pairs[i].Value = appendValue(pairs[i].Value[:0], at, 0, w.valueSize)
			l.given += int64(len(pairs[i].Key) + len(pairs[i].Value))
		}
		return w.store.PutAll(pairs)
	})
	if err != nil {
		return err
	}
	row.Ops *= size // keys
	if err := w.write(row); err != nil {
		return err
	}
	_, err = w.lanes(1)[0].run(w.Keys/size*size, func(l *lane, n int) error { return l.get(w.scattered(n)) })
	return err
}

// synced writes durably, by one writer and by eight.
func (w *worker) synced() error {
	if err := w.store.Close(); err != nil {
		return err
	}
	durable := w.settings
	durable.Sync = true
	if err := w.open(durable); err != nil {
		return err
	}
	for _, writers := range []int{1, 8} {
		// Each writer has keys of its own.
		ops := max(80, w.Keys/1000) * writers
		err := w.phase("synced writes", writers, ops, func(l *lane, n int) error { return l.fill(n*8 + l.number) })
		if err != nil {
			return err
		}
	}
	return nil
}
