package db

import (
	"errors"
	"slices"

	"siftdb/internal/manifest"
)

// applyEdit makes a step from one version to the next: the edit is on disk before a view of its tables is in
// place, and views follow each other in the order of the edits. reshape says what the step does to the
// memtables.
func (db *DB) applyEdit(edit *manifest.Edit, reshape func(*view) *view) error {
	db.editMu.Lock()
	defer db.editMu.Unlock()
	edit.NextFile = db.nextFile.Load()
	version, err := db.manifest.Apply(edit)
	if err != nil {
		if errors.Is(err, manifest.ErrUndetermined) {
			db.doubtful = append(db.doubtful, newTables(edit)...)
		} else {
			db.discard(newTables(edit))
		}
		db.keeper.withdraw(newTables(edit))
		return err
	}
	db.lastEdit.Store(db.manifest.State().EditNumber)
	db.adopt(version, edit, reshape)
	db.discard(db.doubtful)
	db.doubtful = nil
	return nil
}

// discard removes tables that were built and are in no version.
func (db *DB) discard(built []*manifest.Table) {
	for _, t := range built {
		db.removeFile(db.tables.path(t.Number))
	}
}

// keepMemTables is the reshape of a step that concerns tables only.
func keepMemTables(v *view) *view { return v }

// dropOldest is the reshape of a flush. It copies what is left, since a shorter slice of the same array would keep the
// memory of the memtable that was flushed.
func dropOldest(v *view) *view {
	return v.withMemTables(v.mem, slices.Clone(v.frozen[:len(v.frozen)-1]))
}

// newTables are the tables of an edit that were not in the store before.
func newTables(edit *manifest.Edit) (added []*manifest.Table) {
	moved := make(map[uint64]bool)
	for _, r := range edit.Removed {
		moved[r.Number] = true
	}
	for _, a := range edit.Added {
		if !moved[a.Table.Number] {
			added = append(added, a.Table)
		}
	}
	return added
}

// adopt puts a view with the tables of version, to which edit led, in place.
func (db *DB) adopt(version *manifest.Version, edit *manifest.Edit, reshape func(*view) *view) {
	db.mu.Lock()
	next := reshape(db.view.Load()).withVersion(version, db.live, db.newTable)
	gone, come := db.exchangedLocked(edit)
	old := db.installLocked(next)
	db.expireLogsLocked(edit.OldestLog)
	db.changed.Broadcast()
	db.mu.Unlock()
	db.release(old, callUser)
	db.keeper.inherit(old, gone, come)
	db.keeper.stir()
}

// exchangedLocked are the tables that edit takes out of the store, and those that it brings; a table that moves is
// neither. DB.mu is held.
func (db *DB) exchangedLocked(edit *manifest.Edit) (gone, come []*table) {
	added := make(map[uint64]bool, len(edit.Added))
	for _, a := range edit.Added {
		added[a.Table.Number] = true
	}
	for _, r := range edit.Removed {
		if t := db.live[r.Number]; !added[r.Number] {
			t.retired.Store(true)
			gone = append(gone, t)
		}
	}
	for _, meta := range newTables(edit) {
		come = append(come, db.live[meta.Number])
	}
	return gone, come
}
