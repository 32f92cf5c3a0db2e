package db

import (
	"errors"
	"io/fs"
	"path/filepath"

	"siftdb/wal"
)

// rotate freezes the memtable and starts a new one, with a log segment of its own. The leader calls it, or
// whoever runs alone.
func (db *DB) rotate() error {
	number := db.log.Number() + 1
	if err := db.rotateLog(number); err != nil {
		return refusal(err)
	}
	full := db.view.Load().mem
	mem := &memTable{Table: db.memory.NewAfter(full.Table), log: number}
	db.mu.Lock()
	v := db.view.Load()
	v.mem.last = db.sequence()
	frozen := append([]*memTable{v.mem}, v.frozen...)
	old := db.installLocked(v.withMemTables(mem, frozen))
	db.changed.Broadcast()
	db.mu.Unlock()
	db.release(old, callUser)
	return nil
}

// rotateLog starts the log segment with that number, also where an earlier try has failed so badly that it could
// not remove what it had made. Numbers stay without a gap, so that recovery notices a missing segment.
func (db *DB) rotateLog(number uint64) error {
	err := db.log.Rotate(number, db.lastEdit.Load())
	leftover := filepath.Join(db.dir, wal.Name(number))
	if !errors.Is(err, fs.ErrExist) || db.isDirectory(leftover) {
		return err
	}
	if err := db.fs.Remove(leftover); err != nil {
		return err
	}
	return db.log.Rotate(number, db.lastEdit.Load())
}
