package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"siftdb/bench"
	"siftdb/bench/peers/rows"
)

// job is what one process measures: one store, once.
type job struct {
	Kind       rows.Kind
	Contestant string
	Dir        string // for the stores; what is in it is removed
	Keys       int
	Repetition int
	Seed       uint64
	Profile    string // directory for profiles of each phase; "": none
	Point      point  // of a measurement of growth
}

// worker does a job.
type worker struct {
	job
	contestant contestant
	settings   Settings
	valueSize  int
	out        io.Writer
	dropCache  func() error // has the system forget what it has of files

	store    Engine
	contents *contents
	drawn    uint64 // how often lanes were made
}

// work does the job and writes its rows to out.
func work(j job, out io.Writer) error {
	c, err := contestantNamed(j.Contestant)
	if err != nil {
		return err
	}
	w := &worker{job: j, contestant: c, settings: equalSettings, valueSize: valueSize, out: out,
		dropCache: dropFileCache}
	return w.work()
}

func (w *worker) work() error {
	var parts []func() error
	switch w.Kind {
	case rows.Run:
		parts = []func() error{w.main, w.sequential, w.batches, w.synced}
	case rows.WriteAmplification:
		parts = []func() error{w.amplification}
	case rows.Growth:
		w.Keys, w.valueSize, w.settings.FilterBits = w.Point.Keys, w.Point.ValueBytes, w.Point.FilterBits
		parts = []func() error{w.growth}
	default:
		return fmt.Errorf("no measurement is called %q", w.Kind)
	}
	for _, part := range parts {
		if err := w.inFreshStore(part); err != nil {
			return fmt.Errorf("%s: %w", w.contestant.name, err)
		}
	}
	return nil
}

// inFreshStore runs a part of the job on a store of its own.
func (w *worker) inFreshStore(part func() error) error {
	if err := os.RemoveAll(w.storeDir()); err != nil {
		return err
	}
	w.contents = newContents(w.Keys, w.Keys/10, w.valueSize)
	if err := w.open(w.settings); err != nil {
		return err
	}
	if err := part(); err != nil {
		return err
	}
	if err := w.store.Close(); err != nil {
		return err
	}
	return os.RemoveAll(w.storeDir())
}

func (w *worker) storeDir() string { return filepath.Join(w.Dir, w.contestant.name) }

func (w *worker) open(s Settings) (err error) {
	w.store, err = w.contestant.open(w.storeDir(), s)
	return err
}

// lanes are n goroutines' worth of lanes. They draw other keys than those before them did: where a phase asked for the
// keys of the last one, a store that had read their blocks for nothing would have them at hand. Every store gets the
// same.
func (w *worker) lanes(n int) []*lane {
	w.drawn++
	lanes := make([]*lane, n)
	for i := range lanes {
		lanes[i] = newLane(w.store, w.contents, w.Seed+uint64(w.Repetition)+w.drawn<<32, i)
	}
	return lanes
}

// phase measures a phase and writes its row.
func (w *worker) phase(name string, threads, ops int, do func(l *lane, n int) error) error {
	row, err := w.measure(name, threads, ops, do)
	if err != nil {
		return err
	}
	return w.write(row)
}

// measure measures a phase, profiled if that is asked for.
func (w *worker) measure(name string, threads, ops int, do func(l *lane, n int) error) (row rows.Row, err error) {
	stop := func() error { return nil }
	if w.Profile != "" {
		dir := filepath.Join(w.Profile, w.contestant.name, fmt.Sprintf("%s, %d", name, threads))
		if stop, err = bench.Profile(dir); err != nil {
			return row, err
		}
	}
	row, err = measure(name, w.lanes(threads), ops, do)
	if err := errors.Join(err, stop()); err != nil {
		return row, fmt.Errorf("%s: %w", name, err)
	}
	return row, nil
}

func (w *worker) write(r rows.Row) error {
	r.Store, r.Repetition = w.contestant.name, w.Repetition
	r.Axis, r.At = w.Point.Axis, w.Point.At
	return rows.WriteRow(w.out, r)
}

// once measures a thing that is done once, and how large the store is after it.
func (w *worker) once(name string, do func() error) error {
	row, err := w.measure(name, 1, 1, func(*lane, int) error { return do() })
	if err != nil {
		return err
	}
	if row.StoreBytes, err = sizeOf(w.storeDir()); err != nil {
		return err
	}
	return w.write(row)
}

// sizeOf is the bytes of all files in dir, as the disk holds them.
func sizeOf(dir string) (bytes int64, err error) {
	err = filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			bytes += bytesOnDisk(info)
		}
		return err
	})
	return bytes, err
}

// scattered is number n of an order that has each of the keys once, far from the one before: 2654435761 is a prime, so
// that it divides no number of keys that there is room for.
func (w *worker) scattered(n int) int { return int(uint64(n) * 2654435761 % uint64(w.Keys)) }
