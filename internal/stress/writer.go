package stress

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"siftdb/db"
)

// write makes the writes of a writer, one after the other, and compares what the store says of its keys.
func (w *worker) write(ctx context.Context, n int, s *state) error {
	rng := w.round.rng(100 + uint64(n))
	for ctx.Err() == nil {
		if err := w.writeNext(ctx, rng, s); err != nil || w.doubt[n].Load() {
			return err
		}
		if err := w.putUpWith(w.readSome(rng, w.store, s)); err != nil {
			return err
		}
		if rng.IntN(20) > 0 {
			continue
		}
		if err := w.putUpWith(w.lookBack(ctx, rng, s)); err != nil || w.doubt[n].Load() {
			return err
		}
	}
	return nil
}

// writeNext makes the writer's next write, again and again while it fails for a reason: it is the same each time. If it
// has not returned when the round ends, it is in doubt.
func (w *worker) writeNext(ctx context.Context, rng *rand.Rand, s *state) error {
	i := s.done + 1
	b := batchOf(w.round.Seed, s.writer, i, w.progress())
	when, durable := db.NoSync, false
	if rng.IntN(8) == 0 {
		when, durable = db.Sync, true
	}
	for {
		err := w.store.Apply(b, when)
		if err == nil {
			break
		}
		if err := w.putUpWith(err); err != nil {
			return err
		}
		if !pause(ctx, 2*time.Millisecond) {
			w.doubt[s.writer].Store(true)
			return nil
		}
	}
	s.advance(i)
	w.returned[s.writer].Store(int64(i))
	if rng.IntN(50) == 0 {
		err := w.store.Sync()
		if durable = err == nil; !durable {
			return w.putUpWith(err)
		}
	}
	if durable {
		w.said.durable(s.writer, i)
	}
	return nil
}

// readSome looks up a few keys of the writer, half of which it never wrote.
func (w *worker) readSome(rng *rand.Rand, from db.Reader, s *state) error {
	for range rng.IntN(4) {
		if err := s.compareKey(from, keyOf(s.writer, rng.IntN(2*keysEach)), drawReadOptions(rng)...); err != nil {
			return err
		}
		w.reads.Add(1)
	}
	return nil
}

func drawReadOptions(rng *rand.Rand) (opts []db.ReadOption) {
	if rng.IntN(8) == 0 {
		opts = append(opts, db.IgnoreFilters)
	}
	if rng.IntN(8) == 0 {
		opts = append(opts, db.NoCache)
	}
	return opts
}

// lookBack walks over all that the writer wrote, or takes a snapshot, goes on writing, and compares the snapshot.
func (w *worker) lookBack(ctx context.Context, rng *rand.Rand, s *state) error {
	if rng.IntN(2) == 0 {
		w.reads.Add(int64(len(s.values)))
		return s.compareAll(w.store, db.Range{Reverse: rng.IntN(2) == 0})
	}
	then := s.clone()
	return w.store.View(func(snapshot *db.Snapshot) error {
		for range rng.IntN(40) {
			if err := w.writeNext(ctx, rng, s); err != nil || w.doubt[s.writer].Load() {
				return err
			}
			if err := w.readSome(rng, snapshot, then); err != nil {
				return err
			}
		}
		i, _, err := then.markerIn(snapshot)
		if err != nil {
			return err
		}
		if i != then.done {
			return wrongf("a snapshot taken at write %d of writer %d shows write %d", then.done, s.writer, i)
		}
		w.reads.Add(int64(len(then.values)))
		return then.compareAll(snapshot, db.Range{Reverse: rng.IntN(2) == 0})
	})
}

// healed makes sure that a store whose trouble was of a kind that passes takes writes again.
func (w *worker) healed() error {
	if w.plan.ending != failed || !w.plan.trouble.kind.heals {
		return nil
	}
	var last error
	for deadline := time.Now().Add(patience / 3); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if last = w.store.Put([]byte("healed"), nil); last == nil {
			return nil
		}
	}
	return fmt.Errorf("writes fail after the end of: %v: %w", w.plan.trouble, last)
}
