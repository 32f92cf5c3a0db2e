package db

import (
	"context"

	"siftdb/compaction"
	"siftdb/internal/manifest"
)

// Compact flushes what is in memory and merges the tables that hold keys of r down to the last level, that one
// included, so that deleted and overwritten data is gone from the disk, as far as no open snapshot sees it. It
// returns ctx.Err() when ctx ends first; what was done stays done. Writes and reads go on beside it; of two calls
// one waits for the other.
func (db *DB) Compact(ctx context.Context, r Range) error {
	if err := db.Flush(ctx); err != nil {
		return err
	}
	if r.holdsNothing() {
		return nil
	}
	if err := db.beginManual(ctx); err != nil {
		return err
	}
	defer db.endManual()
	return db.whileOpen(ctx, func(ctx context.Context) error { return db.compactLevels(ctx, r.clone()) })
}

// beginManual keeps compactors from starting, and waits for the compactions that run.
func (db *DB) beginManual(ctx context.Context) error {
	err := db.waitUntil(ctx, func(*view) (bool, error) {
		if db.manual {
			return false, nil
		}
		db.manual = true
		return true, nil
	})
	if err != nil {
		return err
	}
	err = db.waitUntil(ctx, func(*view) (bool, error) { return len(db.running) == 0, nil })
	if err != nil {
		db.endManual()
	}
	return err
}

// endManual lets compactors start again. The caller has the error of a compaction that failed, and nobody tries it
// again; what is due without the call a compactor tries, and notes how that ends.
func (db *DB) endManual() {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.manual, db.compactErr = false, nil
	db.changed.Broadcast()
}

// compactLevels takes the tables in the range down, level by level.
func (db *DB) compactLevels(ctx context.Context, r Range) error {
	fresh := db.nextFile.Load()
	for level := range manifest.NumLevels {
		for from := r.Lower; ; {
			j, ok := db.nextManual(level, from, r.Upper, fresh)
			if !ok {
				break
			}
			from = j.plan.After()
			if err := db.run(ctx, j); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// nextManual takes the next step of a manual compaction, if there is one.
func (db *DB) nextManual(level int, from, upper []byte, fresh uint64) (job, bool) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed.Load() {
		return job{}, false
	}
	v := db.view.Load()
	state := db.stateLocked(v)
	state.Fresh = fresh
	plan, ok := compaction.Manual(state, db.planOptions(), level, from, upper)
	if !ok {
		return job{}, false
	}
	return db.startLocked(plan, v), true
}
