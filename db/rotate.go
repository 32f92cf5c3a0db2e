package db

import "siftdb/memtable"

// rotate freezes the memtable and starts a new one, with a log segment of its own. The leader calls it, or
// whoever runs alone.
func (db *DB) rotate() error {
	number := db.log.Number() + 1
	if err := db.log.Rotate(number, db.lastEdit.Load()); err != nil {
		return refusal(err)
	}
	full := db.view.Load().mem
	mem := &memTable{Table: memtable.NewAfter(full.Table, db.opts.MemTableSize), log: number}
	db.mu.Lock()
	v := db.view.Load()
	v.mem.last = db.commits.lastSeq
	frozen := append([]*memTable{v.mem}, v.frozen...)
	old := db.installLocked(v.withMemTables(mem, frozen))
	db.changed.Broadcast()
	db.mu.Unlock()
	db.release(old, callUser)
	return nil
}
