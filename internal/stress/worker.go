package stress

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"siftdb/db"
	"siftdb/internal/fsys"
)

// patience is how long anything may take before it counts as hung: far longer than it takes on a busy machine.
const patience = 90 * time.Second

// worker plays a round in a process of its own.
type worker struct {
	round Round
	plan  plan
	store *db.DB
	disk  *fsys.Fault
	bad   saboteur
	said  *report

	returned [writers]atomic.Int64 // the newest write of each writer that returned
	doubt    [writers]atomic.Bool  // the writer's next write failed, and may be there all the same
	reads    atomic.Int64          // answers that were compared
}

// Work plays the round on the store in dir. What the process that started it must know goes to out, line by line. It
// returns an error when the store did anything that it must not.
func Work(ctx context.Context, dir string, round Round, out io.Writer) error {
	w := &worker{round: round, plan: round.plan(), disk: fsys.NewFault(db.OSFiles()), said: &report{out: out}}
	w.bad.trouble = w.plan.trouble
	defer time.AfterFunc(w.plan.lasts+patience, w.hang).Stop()
	if w.plan.ending == failed && w.plan.trouble.begins < 0 {
		w.sabotage()
	}
	w.plan.options.FS = w.disk
	store, err := db.Open(dir, &w.plan.options)
	if err != nil {
		return w.putUpWith(err)
	}
	w.store = store
	w.said.opened()
	err = w.play(ctx)
	if closed := w.putUpWith(store.Close()); err == nil {
		err = closed
	}
	if err == nil {
		w.sayEnd()
	}
	return err
}

// hang ends the process with the stacks of all goroutines.
func (w *worker) hang() {
	debug.SetTraceback("all")
	panic(fmt.Sprintf("%v hangs", w.round))
}

// play lets writers and the disturber loose on the store until the round's time is over.
func (w *worker) play(ctx context.Context) error {
	states, err := w.states()
	if err != nil {
		w.doubtAll()
		return w.putUpWith(err)
	}
	lasts := w.plan.lasts
	if w.plan.ending == killed {
		lasts = patience / 2 // by then the kill has come
	}
	ctx, stop := context.WithTimeout(ctx, lasts)
	defer stop()
	counting := w.count()
	defer counting()
	all, ctx := errgroup.WithContext(ctx)
	if w.plan.ending == failed {
		all.Go(func() error { return w.makeTrouble(ctx) })
	}
	for n, s := range states {
		all.Go(func() error { return w.write(ctx, n, s) })
	}
	all.Go(func() error { return w.disturb(ctx) })
	if err := all.Wait(); err != nil {
		return err
	}
	return w.healed()
}

// states reads what the store holds of each writer. That it is right, whoever started the process has checked.
func (w *worker) states() (states [writers]*state, err error) {
	for n := range states {
		s := newState(w.round.Seed, n)
		if s.done, _, err = s.markerIn(w.store); err != nil {
			return states, err
		}
		r := db.Prefix(writerPrefix(n))
		for e, err := range w.store.Scan(r) {
			if err != nil {
				return states, err
			}
			s.values[string(e.Key)] = string(e.Value)
		}
		delete(s.values, string(markerKey(n)))
		w.returned[n].Store(int64(s.done))
		states[n] = s
	}
	return states, nil
}

// doubtAll keeps the worker from saying how far writers are.
func (w *worker) doubtAll() {
	for n := range w.doubt {
		w.doubt[n].Store(true)
	}
}

// makeTrouble begins the round's trouble when it is time and ends it, with the round at the latest.
func (w *worker) makeTrouble(ctx context.Context) error {
	defer w.relieve()
	if !pause(ctx, w.plan.trouble.begins) {
		return nil
	}
	w.sabotage()
	pause(ctx, w.plan.trouble.lasts)
	return nil
}

// pause waits, and says whether ctx goes on.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

func (w *worker) sabotage() {
	w.bad.begun.Store(true)
	w.disk.SetHook(w.bad.hook)
}

func (w *worker) relieve() { w.disk.SetHook(nil) }

// putUpWith returns nil for errors that the round's trouble explains, and for those of a round that is over.
func (w *worker) putUpWith(err error) error {
	var answer *wrong
	var cause *injected
	switch {
	case err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		return nil
	case errors.As(err, &answer) || errors.Is(err, db.ErrCorrupt) || !w.bad.begun.Load():
		return err
	case errors.As(err, &cause) || errors.Is(err, db.ErrRefused) || errors.Is(err, db.ErrUndetermined):
		return nil
	}
	return err
}

// progress is how many writes of each writer have returned.
func (w *worker) progress() (p progress) {
	for n := range p {
		p[n] = int(w.returned[n].Load())
	}
	return p
}

// count reports what was done so far, now and then. The function that it returns does so for the last time.
func (w *worker) count() (end func()) {
	stop := make(chan struct{})
	var counter sync.WaitGroup
	counter.Go(func() {
		tick := time.NewTicker(50 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				w.said.counted(w.reads.Load(), w.bad.failed.Load())
			case <-stop:
				w.said.counted(w.reads.Load(), w.bad.failed.Load())
				return
			}
		}
	})
	return func() {
		close(stop)
		counter.Wait()
	}
}

// sayEnd reports the newest write of each writer, but for one whose next write may be there.
func (w *worker) sayEnd() {
	for n := range writers {
		if !w.doubt[n].Load() {
			w.said.ended(n, int(w.returned[n].Load()))
		}
	}
}
