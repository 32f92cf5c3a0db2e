package db

import (
	"context"
	"time"
)

// The background work of a store: a keeper of filters and, where it takes writes, a flusher, some compactors and a
// cleaner. Each is a loop that sleeps until there is something to do and ends when the store closes; Close waits for
// all, and for the warming up of tables (warmup.go), which begins when reads ask for it.
func (db *DB) startBackground() {
	ctx := db.work
	db.workers.Go(func() { db.keeper.run(ctx) })
	if db.opts.ReadOnly {
		return
	}
	db.workers.Go(func() { db.flusher(ctx) })
	db.workers.Go(func() { db.cleaner(ctx) })
	if db.opts.NoCompaction {
		return
	}
	for range db.opts.Workers {
		db.workers.Go(func() { db.compactor(ctx) })
	}
}

// WaitQuiet waits until nothing is left to do in the background: no memtable waits for its flush, no compaction is
// running or due, no file waits to be removed, no tables are being brought into memory, and of the filters, where reads
// have asked for any, as much is in memory as should be. Of work that fails it returns the error, though it will be
// tried again.
func (db *DB) WaitQuiet(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return db.unlessClosed(err)
	}
	return db.waitUntil(ctx, func(v *view) (bool, error) {
		if db.flushErr != nil {
			return false, db.flushErr
		}
		if db.compactErr != nil {
			return false, db.compactErr
		}
		if db.warmingUp {
			return false, nil
		}
		if ok, err := db.keeper.quiet(); !ok || db.opts.ReadOnly {
			return ok, err
		} else if err != nil {
			return false, err
		}
		if len(v.frozen) > 0 || db.flushing > 0 || len(db.running) > 0 {
			return false, nil
		}
		if db.cleaning || len(db.obsolete)+len(db.oldLogs) > 0 {
			return false, nil
		}
		return db.opts.NoCompaction || !db.compactionDueLocked(v), nil
	})
}

// backoff makes the pauses between tries of work that fails grow, to a second.
type backoff struct{ pause time.Duration }

const longestPause = time.Second

// wait pauses, unless ctx ends or somebody asks for the next try now.
func (b *backoff) wait(ctx context.Context, now <-chan struct{}) {
	b.pause = min(longestPause, max(10*time.Millisecond, 2*b.pause))
	select {
	case <-time.After(b.pause):
	case <-now:
	case <-ctx.Done():
	}
}
