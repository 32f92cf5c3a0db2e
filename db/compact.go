package db

import (
	"context"
	"errors"
	"slices"
	"time"

	"siftdb/bloom"
	"siftdb/compaction"
	"siftdb/compaction/merge"
	internal "siftdb/internal/iter"
	"siftdb/internal/key"
	"siftdb/internal/manifest"
	"siftdb/sstable"
)

// compactor carries out the compactions that are due, one at a time, until the store closes.
func (db *DB) compactor(ctx context.Context) {
	var retry backoff
	for {
		job, ok := db.nextCompaction()
		if !ok {
			return
		}
		err := db.run(ctx, job)
		if ctx.Err() != nil {
			return
		}
		if err == nil {
			retry = backoff{}
			continue
		}
		db.stats.backgroundErrors.Add(1)
		if !errors.Is(err, ErrCorrupt) { // of damage the log has told, once
			db.opts.Logger.Error("siftdb: compaction failed, will be tried again",
				"plan", job.plan.String(), "err", err)
		}
		retry.wait(ctx, nil)
	}
}

// job is a plan whose tables are marked busy, with the view it was made for.
type job struct {
	plan compaction.Plan
	view *view
}

// nextCompaction waits for a compaction that is due and takes it; false when the store closes. While a call of
// Compact is at work none is.
func (db *DB) nextCompaction() (job, bool) {
	db.mu.Lock()
	defer db.mu.Unlock()
	for !db.closed.Load() {
		v := db.view.Load()
		if !db.manual {
			if plan, ok := compaction.Pick(db.stateLocked(v), db.planOptions()); ok {
				return db.startLocked(plan, v), true
			}
		}
		db.changed.Wait()
	}
	return job{}, false
}

// stateLocked is what the planner sees. DB.mu is held.
func (db *DB) stateLocked(v *view) compaction.State {
	s := compaction.State{Version: v.version, Running: db.running, OldestSnapshot: key.MaxSeq}
	if seqs := db.snapshotSeqsLocked(); len(seqs) > 0 {
		s.OldestSnapshot = seqs[0]
	}
	return s
}

func (db *DB) planOptions() compaction.Options {
	return compaction.Options{
		Style:      db.opts.Compaction,
		TableSize:  db.opts.TableSize,
		BaseBytes:  2 * db.opts.MemTableSize,
		LevelRatio: db.opts.LevelRatio,
	}
}

func (db *DB) compactionDueLocked(v *view) bool {
	_, due := compaction.Pick(db.stateLocked(v), db.planOptions())
	return due
}

// startLocked notes that a plan is being carried out, so that others leave its tables alone. v is the current
// view. DB.mu is held.
func (db *DB) startLocked(plan compaction.Plan, v *view) job {
	db.running = append(slices.Clip(db.running), plan)
	return job{plan: plan, view: db.pinTablesLocked(v)}
}

// run carries out a job and ends it.
func (db *DB) run(ctx context.Context, j job) error {
	err := db.noted(db.carryOut(ctx, j))
	db.mu.Lock()
	if err == nil || ctx.Err() == nil { // that a caller has cancelled is no failure
		db.compactErr = err
	}
	db.mu.Unlock()
	db.end(j)
	return err
}

// end lets others have the tables of a job.
func (db *DB) end(j job) {
	db.mu.Lock()
	db.running = slices.DeleteFunc(slices.Clone(db.running), func(p compaction.Plan) bool {
		return p.Inputs[p.Level][0] == j.plan.Inputs[j.plan.Level][0]
	})
	db.changed.Broadcast()
	db.mu.Unlock()
	db.release(j.view, iteratorUser)
}

// carryOut merges the plan's inputs into tables of its output level and puts those in their place.
func (db *DB) carryOut(ctx context.Context, j job) error {
	if j.plan.Trivial {
		if err := db.applyEdit(j.plan.Edit(nil), keepMemTables); err != nil {
			return err
		}
		db.stats.moves.Add(1)
		db.opts.Logger.Info("siftdb: moved a table down", "plan", j.plan.String())
		return nil
	}
	start := time.Now()
	built, err := db.mergePlan(ctx, j)
	if err != nil {
		return err
	}
	if err := db.applyEdit(j.plan.Edit(built), keepMemTables); err != nil {
		return err
	}
	read := j.plan.Bytes()
	db.stats.compacted(read, sizeOf(built))
	db.opts.Logger.Info("siftdb: compacted", "plan", j.plan.String(), "read", read,
		"written", sizeOf(built), "took", time.Since(start))
	return nil
}

// mergePlan writes the output tables of a plan.
func (db *DB) mergePlan(ctx context.Context, j job) ([]*manifest.Table, error) {
	in, err := db.inputIter(j)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	place := bloom.Place{Level: j.plan.Output, Bottommost: j.plan.Bottommost, Reason: bloom.ReasonCompaction}
	b := db.newBuilder(place)
	for _, inputs := range j.plan.Inputs {
		for _, t := range inputs {
			b.replaces = append(b.replaces, t.Number)
		}
	}
	return b.merge(ctx, in, db.mergeOptions(j))
}

// inputIter runs over all entries of a job's inputs. It takes blocks from the cache and puts none there.
func (db *DB) inputIter(j job) (internal.Iterator, error) {
	var in sources
	access := &sstable.Access{Mode: sstable.PeekCache} // a walk that comes once
	for level, inputs := range j.plan.Inputs {
		tables := j.view.find(level, inputs)
		if level > 0 {
			in.addRun(db, tables, access)
			continue
		}
		for _, t := range tables {
			if err := in.addTable(db, t, access); err != nil {
				return nil, err
			}
		}
	}
	return in.merged(), nil
}

// mergeOptions says which versions the outputs must keep, and where they end.
func (db *DB) mergeOptions(j job) merge.Options {
	db.mu.Lock()
	defer db.mu.Unlock()
	o := merge.Options{
		Snapshots:  db.snapshotSeqsLocked(),
		TableSize:  db.opts.TableSize,
		Elide:      j.plan.NothingBelow(j.view.version),
		MaxOverlap: db.planOptions().MaxOverlap(),
	}
	for _, t := range j.plan.Grandparents {
		o.Below = append(o.Below, merge.Extent{Smallest: t.Smallest.User, Largest: t.Largest.User, Size: t.Size})
	}
	return o
}
