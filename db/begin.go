package db

import (
	"context"
	"fmt"

	"siftdb/bloom"
	"siftdb/internal/manifest"
	"siftdb/wal"
)

// startWriting makes a recovered store take writes: with a log segment of its own, and the background work.
func (db *DB) startWriting(rec *recovery) error {
	db.sweep(rec.names, db.manifest.Version(), db.manifest.State().OldestLog)
	number := rec.lastLog + 1
	log, err := wal.Create(db.fs, db.dir, number, db.lastEdit.Load())
	if err != nil {
		return fmt.Errorf("siftdb: starting the log: %w", err)
	}
	db.log = log
	if err := db.leaveRecovery(rec, number); err != nil {
		log.Abandon() // not Close: what was recovered may still be behind a torn end
		db.log = nil
		return err
	}
	return nil
}

// leaveRecovery puts the view that takes writes in place. What was recovered waits behind it for the flusher, as
// any full memtable does, unless the log was not ended by Close: then it goes to tables first. For were the new
// segment to get writes beside the old one, a later recovery could not tell the old one's torn end from damage.
func (db *DB) leaveRecovery(rec *recovery, number uint64) error {
	mem := &memTable{Table: db.memory.New(), log: number}
	if len(rec.memTables) > 0 && !rec.unclean {
		db.mu.Lock()
		old := db.installLocked(db.view.Load().withMemTables(mem, rec.frozen()))
		db.mu.Unlock()
		db.release(old, callUser)
		return nil
	}
	edit := &manifest.Edit{OldestLog: number}
	for _, m := range rec.memTables {
		built, err := db.buildFrom(context.Background(), m, bloom.ReasonRecovery)
		if err != nil {
			return err
		}
		addToLevelZero(edit, m, built)
	}
	return db.applyEdit(edit, func(v *view) *view { return v.withMemTables(mem, nil) })
}
