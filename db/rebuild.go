package db

import (
	"context"
	"time"

	"siftdb/bloom"
	"siftdb/compaction"
	"siftdb/internal/manifest"
)

// RebuildFilters makes p what new tables get, and gives it to the tables that are there, as far as they were made
// under another policy: each is written anew, one after the other, its data blocks copied as they are. Reads, writes
// and compactions go on beside it. A crash leaves each table as it was or as it is to be.
//
// Where another call or SetBitsPerKey sets something else meanwhile, it goes on with that. It returns ctx.Err() when
// ctx ends first; tables that are done stay done. A policy whose numbers cannot be used is an
// *OptionError.
func (db *DB) RebuildFilters(ctx context.Context, p bloom.Policy) error {
	if db.opts.ReadOnly {
		return db.unlessClosed(ErrReadOnly)
	}
	if p == nil {
		p = standardFilter()
	}
	if err := checkFilter(p); err != nil {
		return db.unlessClosed(err)
	}
	if err := ctx.Err(); err != nil {
		return db.unlessClosed(err)
	}
	db.keeper.set(func() { db.keeper.policy, db.keeper.bits, db.keeper.live = p, p.AskedBits(), false })
	return db.whileOpen(ctx, db.rebuildAll)
}

// rebuildAll rebuilds the tables that are not under the policy in force, until there are none.
func (db *DB) rebuildAll(ctx context.Context) error {
	start, count := time.Now(), 0
	for {
		j, ok, err := db.nextRebuild(ctx)
		if err != nil {
			return err
		}
		if !ok {
			db.opts.Logger.Info("siftdb: filters rebuilt",
				"tables", count, "policy", db.keeper.policyNow().String(), "took", time.Since(start))
			return nil
		}
		err = db.noted(db.rebuild(ctx, j))
		db.end(j)
		if err != nil {
			return err
		}
		count++
	}
}

// nextRebuild takes the next table that is not under the policy in force, the one that builders use; it waits while all
// such tables are being compacted, and for calls of Compact. ok is false when there is none.
func (db *DB) nextRebuild(ctx context.Context) (j job, ok bool, err error) {
	err = db.waitUntil(ctx, func(v *view) (bool, error) {
		p, state, left := db.keeper.policyNow(), db.stateLocked(v), false
		for level, tables := range v.tables {
			for _, t := range tables {
				if !outdated(t.meta, level, p) {
					continue
				}
				if db.manual {
					return false, nil
				}
				left = true
				if plan, free := compaction.Rewrite(state, db.planOptions(), level, t.meta); free {
					j, ok = db.startLocked(plan, v), true
					return true, nil
				}
			}
		}
		return !left, nil
	})
	return j, ok, err
}

// outdated says whether a table at level was made under another policy than p, or for another place: a young table that
// was moved down as it was, whether it came from a flush or was rebuilt in level 0.
func outdated(t *manifest.Table, level int, p bloom.Policy) bool {
	if t.FilterPolicy != p.String() {
		return true
	}
	young, _ := bloom.Sizes(p, bloom.Place{Reason: bloom.ReasonFlush}, t.Keys)
	here, _ := bloom.Sizes(p, bloom.Place{Level: level, Reason: bloom.ReasonCompaction}, t.Keys)
	return here != young && t.FilterFamily == young.String()
}

// rebuild puts a copy under a new filter in the place of the job's table.
func (db *DB) rebuild(ctx context.Context, j job) error {
	old := j.view.find(j.plan.Level, j.plan.Inputs[j.plan.Level])[0]
	r, err := db.tables.reader(old)
	if err != nil {
		return err
	}
	place := bloom.Place{Level: j.plan.Level, Bottommost: j.plan.Bottommost, Reason: bloom.ReasonRebuild}
	if place.Level == 0 {
		place = db.youngPlace(bloom.ReasonRebuild, int(old.meta.Keys))
	}
	built, err := db.newBuilder(place).copy(ctx, r)
	if err != nil {
		return err
	}
	if err := db.applyEdit(j.plan.Edit(built), keepMemTables); err != nil {
		return err
	}
	db.stats.rebuilt.Add(1)
	return nil
}
