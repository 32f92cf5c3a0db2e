package db

import (
	"context"
	"errors"

	"siftdb/bloom"
	"siftdb/internal/manifest"
)

// Repair makes a store that is damaged or has lost files open again, with all that can still be read of it. The store
// must not be open. What was wrong with each file, and what became of it, is in the report. A sound store is left as it
// is. Options are those of Open; MustExist is taken for granted, and ReadOnly is an *OptionError in which errors.Is
// finds ErrReadOnly. A directory without a store is ErrNoStore, one that is open elsewhere a *LockedError.
//
// The manifest that CURRENT names, or else the newest that can be read, says which tables belong to the store. Tables
// that are sound are kept as they are, in their levels. Of damaged ones, the blocks that are sound go into new tables.
// The log is replayed into tables up to the first damage, so that what is there of it is a prefix of the writes. Then a
// new manifest takes the place of the old one. Files that are not part of the store any more are renamed, with .aside
// behind their names; none is removed.
//
// Where no manifest can be read, or a part of its edits cannot, tables of which it says nothing are taken too, but not
// those that others of the store were made of: a crash had left them over. Levels that are not known, or cannot be
// right, are found out from the tables: of each key the newest entry counts.
//
// What Repair cannot know: an entry that is lost may have overwritten or deleted an older one, which shows again.
// Without a manifest, a table that a crash had left over is taken for one of the store when the table that was made of
// it is gone too, having been replaced itself; then what was deleted or overwritten since may come back.
//
// Repair reads every table whole, and needs room for what it writes anew. When it fails, is cancelled by ctx, or cut
// off, the store can be repaired again, with nothing more lost.
func Repair(ctx context.Context, dir string, opts *Options) (RepairReport, error) {
	o, err := opts.withDefaults()
	if err != nil {
		return RepairReport{}, err
	}
	if o.ReadOnly {
		return RepairReport{}, &OptionError{Option: "ReadOnly", Reason: "a repair writes", Err: ErrReadOnly}
	}
	if err := ctx.Err(); err != nil {
		return RepairReport{}, err
	}
	o.MustExist = true
	r := &repair{db: newDB(dir, o)}
	err = r.run(ctx)
	r.forget()
	return r.report, errors.Join(err, r.db.closeFiles())
}

// repair is one run of Repair. It uses a DB that is not open: its lock, its way to read tables and to build them.
type repair struct {
	db     *DB
	report RepairReport
	names  []string // what the directory held

	witness *manifest.Memory // nil: no manifest can be read
	whole   bool             // the witness says all
	edits   uint64           // the largest number of an edit that is known of
	logs    []uint64         // numbers of the segments, ascending
	relics  []*relic         // tables that belong to the store, or what is left of them
	rec     recovery         // what was in the logs

	tables []*table          // that the new manifest will name
	levels map[*table]int    // where; none: not known
	built  []*manifest.Table // new files
}

// run does all of the work.
func (r *repair) run(ctx context.Context) error {
	if err := r.db.takeLock(); err != nil {
		return err
	}
	sound, err := r.isSound(ctx)
	if sound || err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{
		r.survey, r.inspectTables, r.leaveReplaced, r.rebuildTables, r.replayLogs, r.arrange,
	} {
		if err := step(ctx); err != nil {
			r.db.discard(r.built)
			return err
		}
	}
	return r.commit()
}

// isSound opens the store as a reader does, without changing anything, and checks its tables. What is wrong goes into
// the report.
func (r *repair) isSound(ctx context.Context) (bool, error) {
	o := r.db.opts
	o.ReadOnly = true
	store := newDB(r.db.dir, o)
	defer store.closeFiles()
	err := store.loadManifest()
	if err == nil {
		_, err = store.recover()
	}
	if err == nil {
		err = firstDamage(ctx, store)
	}
	if errors.Is(err, ErrCorrupt) {
		r.report.Problem = store.noted(err)
		return false, nil
	}
	return err == nil, err
}

// firstDamage is the first fault that Verify finds, or the error that kept it from looking. A filter of a kind that
// this version does not know is none.
func firstDamage(ctx context.Context, store *DB) error {
	for _, err := range store.Verify(ctx) {
		if err != nil && !errors.Is(err, bloom.ErrUnknown) {
			return err
		}
	}
	return nil
}

// forget closes the tables that were read.
func (r *repair) forget() {
	for _, t := range r.tables {
		r.db.tables.forget(t)
	}
}
