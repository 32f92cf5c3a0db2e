package db

import (
	"errors"
	"path/filepath"
	"slices"

	"siftdb/internal/commit"
	"siftdb/internal/corrupt"
	"siftdb/internal/key"
	"siftdb/internal/manifest"
	"siftdb/memtable"
	"siftdb/wal"
)

// recovery is what the logs hold that no table does.
type recovery struct {
	names     []string    // what the directory held
	memTables []*memTable // oldest first
	lastSeq   key.Seq
	lastLog   uint64 // number of the newest segment; 0: there is none
	unclean   bool   // the newest segment was not ended by Close
}

// recover replays the logs that the manifest needs into memtables. It changes nothing on disk.
func (db *DB) recover() (*recovery, error) {
	state := db.manifest.State()
	names, err := db.fs.List(db.dir)
	if err != nil {
		return nil, db.cannotOpen(err)
	}
	rec := &recovery{names: names, lastSeq: state.LastSeq}
	if err := db.allTablesIn(names); err != nil {
		return nil, err
	}
	db.nextFile.Store(max(state.NextFile, afterAll(names)))
	db.lastEdit.Store(state.EditNumber)
	logs, err := db.neededLogs(names, state.OldestLog)
	if err != nil {
		return nil, err
	}
	if err := db.replayLogs(rec, logs); err != nil {
		rec.release()
		return nil, err
	}
	db.visible.Store(uint64(rec.lastSeq))
	db.showRecovered(rec)
	return rec, nil
}

// replayLogs replays log segments into memtables of rec.
func (db *DB) replayLogs(rec *recovery, logs []uint64) error {
	report, err := wal.Replay(db.fs, db.dir, logs, func(segment uint64, group []byte) error {
		return db.replay(rec, segment, group)
	})
	if err != nil && !errors.Is(err, ErrCorrupt) {
		err = db.cannotOpen(err)
	}
	if err != nil {
		return err
	}
	if n := len(report.Segments); n > 0 && report.Segments[n-1].Next != 0 {
		return db.missingLog(report.Segments[n-1].Next)
	}
	for _, s := range report.Segments {
		if edit := db.manifest.State().EditNumber; s.LastEdit > edit {
			return corrupt.New(db.manifest.Report().File, -1,
				"ends at edit %d, but log segment %d was begun after edit %d", edit, s.Number, s.LastEdit)
		}
		if s.TornAt >= 0 {
			db.opts.Logger.Warn("siftdb: torn end of log dropped", "segment", wal.Name(s.Number),
				"offset", s.TornAt, "bytes", s.Dropped, "reason", s.Reason)
			db.stats.logDropped.Add(s.Dropped)
		}
		rec.unclean = !s.CleanEnd
		rec.lastLog = s.Number
	}
	return nil
}

// allTablesIn checks that no table that the manifest names is missing. What is in them is seen when they are read.
func (db *DB) allTablesIn(names []string) error {
	for _, t := range db.manifest.Version().All() {
		name := manifest.TableName(t.Number)
		if _, there := slices.BinarySearch(names, name); !there {
			return missingTable(filepath.Join(db.dir, name))
		}
	}
	return nil
}

// afterAll is larger than the number of every table in the directory.
func afterAll(names []string) uint64 {
	next := uint64(1)
	for _, name := range names {
		if number, ok := manifest.ParseTableName(name); ok {
			next = max(next, number+1)
		}
	}
	return next
}

// neededLogs are the numbers of the segments from oldest on. They are without a gap, or one was lost.
func (db *DB) neededLogs(names []string, oldest uint64) ([]uint64, error) {
	var logs []uint64
	for _, name := range names {
		number, ok := wal.ParseName(name)
		if ok && number >= oldest && !db.isDirectory(filepath.Join(db.dir, name)) {
			logs = append(logs, number)
		}
	}
	slices.Sort(logs)
	if oldest == 0 { // a store whose making was cut short
		return logs, nil
	}
	if len(logs) == 0 {
		return nil, db.missingLog(oldest)
	}
	for i, number := range logs {
		if expect := oldest + uint64(i); number != expect {
			return nil, db.missingLog(expect)
		}
	}
	return logs, nil
}

func (db *DB) missingLog(number uint64) error {
	return corrupt.New(filepath.Join(db.dir, wal.Name(number)), -1, "log segment is needed and missing")
}

// replay adds a commit group to the newest recovered memtable, unless it is in a table already.
func (db *DB) replay(rec *recovery, segment uint64, group []byte) error {
	damaged := func(reason string, args ...any) error {
		return corrupt.New(filepath.Join(db.dir, wal.Name(segment)), -1, reason, args...)
	}
	g, err := commit.ParseGroup(group)
	if err != nil {
		return damaged("%v", err)
	}
	if g.First > rec.lastSeq+1 {
		return damaged("sequence numbers %d to %d are missing", rec.lastSeq+1, g.First-1)
	}
	last := g.First + key.Seq(g.Count) - 1
	if last <= rec.lastSeq {
		return nil
	}
	if g.First <= rec.lastSeq {
		return damaged("commit group %d to %d is in tables in part", g.First, last)
	}
	n := len(rec.memTables)
	if n == 0 || rec.memTables[n-1].Bytes() >= db.opts.MemTableSize {
		rec.memTables = append(rec.memTables, &memTable{Table: db.memory.New(), log: segment})
		n++
	}
	rec.memTables[n-1].apply(g)
	rec.memTables[n-1].last = last
	rec.lastSeq = last
	return nil
}

// showRecovered puts the first view in place: the manifest's tables and the recovered memtables, all frozen
// behind an empty one.
func (db *DB) showRecovered(rec *recovery) {
	v := &view{mem: &memTable{Table: memtable.New(0)}, frozen: rec.frozen()}
	db.mu.Lock()
	defer db.mu.Unlock()
	db.oldestLog = db.manifest.State().OldestLog
	found := db.manifest.Version()
	db.tables.warmUp = db.newWarmUp(found)
	db.installLocked(v.withVersion(found, db.live, db.foundTable))
}

// frozen are the recovered memtables as a view has them, newest first.
func (rec *recovery) frozen() []*memTable {
	frozen := slices.Clone(rec.memTables)
	slices.Reverse(frozen)
	return frozen
}

// release gives back the memory of memtables that no view has.
func (rec *recovery) release() {
	for _, m := range rec.memTables {
		m.Release()
	}
}
