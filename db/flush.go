package db

import (
	"context"
	"time"

	"siftdb/bloom"
	"siftdb/compaction/merge"
	"siftdb/internal/manifest"
)

// Flush writes all that is in memory to tables and returns when that is done. It returns ctx.Err() when ctx ends
// first; the flush goes on in the background. A flush that has failed is tried again at once, so that a call after
// the cause is gone works.
func (db *DB) Flush(ctx context.Context) error {
	if db.opts.ReadOnly {
		return db.unlessClosed(ErrReadOnly)
	}
	if err := ctx.Err(); err != nil {
		return db.unlessClosed(err)
	}
	if err := db.retryFlush(ctx); err != nil {
		return err
	}
	var last *memTable
	err := db.alone(func() error {
		v := db.view.Load()
		last = v.mem
		if !v.mem.Empty() {
			if err := db.waitForFlush(); err != nil {
				return err
			}
			return db.rotate()
		}
		if len(v.frozen) == 0 {
			last = nil
		} else {
			last = v.frozen[0]
		}
		return nil
	})
	if err != nil || last == nil {
		return err
	}
	return db.waitUntil(ctx, func(v *view) (bool, error) {
		for _, m := range v.frozen {
			if m == last {
				if db.flushErr != nil {
					return false, refusal(db.flushErr)
				}
				return false, nil
			}
		}
		return true, nil
	})
}

// retryFlush has a flush that failed tried again now, and waits for how that ends.
func (db *DB) retryFlush(ctx context.Context) error {
	failures := -1
	return db.waitUntil(ctx, func(*view) (bool, error) {
		switch {
		case db.flushErr == nil:
			return true, nil
		case failures < 0:
			failures = db.flushFailures + db.flushing // a try that is running has begun before the call
			select {
			case db.flushNow <- struct{}{}:
			default:
			}
		case db.flushFailures > failures:
			return false, refusal(db.flushErr)
		}
		return false, nil
	})
}

// flusher writes frozen memtables to level 0, oldest first, until the store closes. A flush that fails is tried
// again: the memtable stays, and so does its log.
func (db *DB) flusher(ctx context.Context) {
	var retry backoff
	for {
		m := db.nextFrozen()
		if m == nil {
			return
		}
		err := db.flush(ctx, m)
		db.mu.Lock()
		db.flushing = 0
		db.flushErr = err
		if err != nil {
			db.flushFailures++
		}
		db.changed.Broadcast()
		db.mu.Unlock()
		if err == nil {
			db.keeper.age()
			db.trimMemory()
			retry = backoff{}
			continue
		}
		if ctx.Err() != nil {
			return
		}
		db.stats.backgroundErrors.Add(1)
		db.opts.Logger.Error("siftdb: flush failed, will be tried again", "err", err)
		retry.wait(ctx, db.flushNow)
	}
}

// trimMemory gives back the memory that is kept for memtables to come, when there are no writes that would
// soon need it.
func (db *DB) trimMemory() {
	v := db.acquire(callUser)
	if v == nil {
		return
	}
	defer db.release(v, callUser)
	if v.mem.Empty() && len(v.frozen) == 0 {
		db.memory.Trim()
	}
}

// nextFrozen waits for a frozen memtable and returns the oldest; nil when the store closes.
func (db *DB) nextFrozen() *memTable {
	db.mu.Lock()
	defer db.mu.Unlock()
	for !db.closed.Load() {
		if frozen := db.view.Load().frozen; len(frozen) > 0 {
			db.flushing = 1
			return frozen[len(frozen)-1]
		}
		db.changed.Wait()
	}
	return nil
}

// flush writes the oldest frozen memtable to a table of level 0.
func (db *DB) flush(ctx context.Context, m *memTable) error {
	start := time.Now()
	built, err := db.buildFrom(ctx, m, bloom.ReasonFlush)
	if err != nil {
		return err
	}
	edit := &manifest.Edit{OldestLog: db.logAfter(m)}
	addToLevelZero(edit, m, built)
	if err := db.applyEdit(edit, dropOldest); err != nil {
		return err
	}
	db.stats.flushed(built)
	db.opts.Logger.Info("siftdb: flushed", "entries", m.Len(), "tables", len(built),
		"bytes", sizeOf(built), "took", time.Since(start))
	return nil
}

// buildFrom writes a memtable that takes no more writes to tables of level 0.
func (db *DB) buildFrom(ctx context.Context, m *memTable, reason bloom.Reason) ([]*manifest.Table, error) {
	in := m.NewVersionIter()
	defer in.Close()
	db.mu.Lock()
	snapshots := db.snapshotSeqsLocked()
	db.mu.Unlock()
	return db.newBuilder(db.youngPlace(reason, m.Len())).merge(ctx, in, merge.Options{Snapshots: snapshots})
}

// addToLevelZero makes edit add what was built from m. The newest write of m need not be in a table: deletions of
// one key stand for each other.
func addToLevelZero(edit *manifest.Edit, m *memTable, built []*manifest.Table) {
	edit.LastSeq = max(edit.LastSeq, m.last)
	for _, t := range built {
		edit.Added = append(edit.Added, manifest.Addition{Level: 0, Table: t})
	}
}

// logAfter is the log segment of the memtable that follows m, the oldest. It does not change while m is frozen.
func (db *DB) logAfter(m *memTable) uint64 {
	db.mu.Lock()
	defer db.mu.Unlock()
	v := db.view.Load()
	if n := len(v.frozen); n > 1 {
		return v.frozen[n-2].log
	}
	return v.mem.log
}

// sizeOf adds up file sizes.
func sizeOf(tables []*manifest.Table) (bytes int64) {
	for _, t := range tables {
		bytes += t.Size
	}
	return bytes
}
