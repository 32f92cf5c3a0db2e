package db

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"siftdb/internal/manifest"
	"siftdb/wal"
)

// obsoleteLocked notes that no view has t any more. What its filter counted stays counted. DB.mu is held.
func (db *DB) obsoleteLocked(t *table) {
	counted := t.filter.sums()
	db.levelGone[t.level].addCounters(t.sinceLevelLocked(counted))
	db.unfilteredGone.add(counted.unfiltered)
	delete(db.live, t.meta.Number)
	db.obsolete = append(db.obsolete, t)
	db.changed.Broadcast()
}

// expireLogsLocked notes that segments before oldest, 0 meaning none, are flushed. DB.mu is held.
func (db *DB) expireLogsLocked(oldest uint64) {
	for ; db.oldestLog < oldest; db.oldestLog++ {
		db.oldLogs = append(db.oldLogs, db.oldestLog)
	}
}

// cleaner removes the files of tables that no view has and of logs that are flushed, until the store closes. A
// file that cannot be removed is left to the next open, and so are those for which there is no time when it closes.
func (db *DB) cleaner(ctx context.Context) {
	closing := grace{ctx: ctx}
	remove := func(name string) {
		if !closing.over() {
			db.removeFile(name)
		}
	}
	for {
		tables, logs, more := db.nextObsolete()
		for _, t := range tables {
			db.tables.forget(t)
			remove(t.file.name)
		}
		db.cache.DropFiles(numbers(tables)...)
		for _, number := range logs {
			remove(filepath.Join(db.dir, wal.Name(number)))
		}
		if !more {
			return
		}
	}
}

// numbers are those of the tables' files.
func numbers(tables []*table) []uint64 {
	all := make([]uint64, len(tables))
	for i, t := range tables {
		all[i] = t.meta.Number
	}
	return all
}

// grace is how long work that may be left undone goes on after its context has ended.
type grace struct {
	ctx context.Context
	end time.Time
}

// longestCleaning is how long Close lets the cleaner go on where removing files is slow.
const longestCleaning = time.Second

// over says whether the time is up. It begins with the first call after the end of the context.
func (g *grace) over() bool {
	if g.ctx.Err() == nil {
		return false
	}
	if g.end.IsZero() {
		g.end = time.Now().Add(longestCleaning)
	}
	return time.Now().After(g.end)
}

// nextObsolete waits for something to remove; more is false when the store closes, and what is left comes with
// it.
func (db *DB) nextObsolete() (tables []*table, logs []uint64, more bool) {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.cleaning = false
	db.changed.Broadcast()
	for len(db.obsolete) == 0 && len(db.oldLogs) == 0 && !db.closed.Load() {
		db.changed.Wait()
	}
	tables, logs = db.obsolete, db.oldLogs
	db.obsolete, db.oldLogs = nil, nil
	db.cleaning = true
	return tables, logs, !db.closed.Load()
}

func (db *DB) removeFile(name string) {
	if err := db.fs.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		db.opts.Logger.Warn("siftdb: file not removed, the next open will", "file", name, "err", err)
	}
}

// sweep removes what a crash left in the directory: tables that the manifest does not name, logs that are
// flushed. Directories, and files whose names are not the store's, are not touched. Open calls it before anything
// is written.
func (db *DB) sweep(names []string, version *manifest.Version, oldestLog uint64) {
	named := version.Numbers()
	for _, name := range names {
		number, isTable := manifest.ParseTableName(name)
		segment, isLog := wal.ParseName(name)
		left := isTable && !named[number] || isLog && segment < oldestLog
		if path := filepath.Join(db.dir, name); left && !db.isDirectory(path) {
			db.removeFile(path)
		}
	}
}

// isDirectory says whether there is a directory of that name, which is not the store's whatever the name.
func (db *DB) isDirectory(name string) bool {
	info, err := db.fs.Stat(name)
	return err == nil && info.IsDir()
}
