package db

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"siftdb/internal/cache"
	"siftdb/internal/fsys"
	"siftdb/internal/manifest"
	"siftdb/internal/striped"
	"siftdb/memtable"
)

// lockName is the file whose lock keeps a directory to one writer or to readers.
const lockName = "LOCK"

// Open opens the store in dir, making it if it is not there; nil options are the defaults. A directory that is
// open elsewhere is ErrLocked; damage is a *CorruptionError, and then nothing has been changed.
//
// What the last process wrote to the log is there again: all that had been synced and, of what had not, a prefix
// in the order of the writes.
func Open(dir string, opts *Options) (*DB, error) {
	o, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	if dir == "" {
		return nil, &OptionError{Option: "dir", Reason: "is empty; it names the directory of the store"}
	}
	db := newDB(dir, o)
	if err := db.open(); err != nil {
		db.dropView()
		db.closeFiles() // the first error is the one that counts
		return nil, db.noted(err)
	}
	return db, nil
}

func newDB(dir string, o Options) *DB {
	db := &DB{
		dir:          dir,
		opts:         o,
		fs:           o.FS,
		writeDefault: durable,
		cache:        cache.New(o.CacheSize),
		memory:       memtable.NewPool(o.MemTableSize),
		views:        make(map[*view]struct{}),
		callbacks:    striped.NewCounter(),
		live:         make(map[uint64]*table),
		snapshots:    make(map[*Snapshot]struct{}),
		iterators:    make(map[*Iterator]time.Time),
		flushNow:     make(chan struct{}, 1),
	}
	db.work, db.stopWork = context.WithCancel(context.Background())
	db.changed = sync.NewCond(&db.mu)
	if o.NoSync {
		db.writeDefault = buffered
	}
	if o.IgnoreFilters {
		db.readDefaults |= readIgnoresFilters
	}
	db.keeper = newKeeper(db, &o)
	db.tables = &tables{fs: o.FS, dir: dir, cache: db.cache, limit: o.OpenTables}
	return db
}

func (db *DB) open() error {
	if err := db.takeLock(); err != nil {
		return err
	}
	if err := db.loadManifest(); err != nil {
		return err
	}
	recovered, err := db.recover()
	if err != nil {
		return err
	}
	if !db.opts.ReadOnly {
		if err := db.startWriting(recovered); err != nil {
			return err
		}
	}
	db.startBackground()
	return nil
}

// takeLock makes the directory, if it may, and locks it.
func (db *DB) takeLock() error {
	mode := fsys.LockExclusive
	if db.opts.ReadOnly {
		mode = fsys.LockShared
	}
	info, err := db.fs.Stat(db.dir)
	switch {
	case err == nil && !info.IsDir():
		err = &fs.PathError{Op: "open", Path: db.dir, Err: errNoDirectory}
	case errors.Is(err, fs.ErrNotExist) && (db.opts.ReadOnly || db.opts.MustExist):
		return noStore(db.dir)
	case errors.Is(err, fs.ErrNotExist):
		err = db.fs.MkdirAll(db.dir)
	}
	if err != nil {
		return db.cannotOpen(err)
	}
	if db.opts.ReadOnly || db.opts.MustExist {
		// Before a lock file is made, so that a directory without a store stays as it is.
		if _, err := manifest.Load(db.fs, db.dir); errors.Is(err, manifest.ErrNoStore) {
			return noStore(db.dir)
		}
	}
	db.lock, err = db.fs.Lock(filepath.Join(db.dir, lockName), mode)
	if locked, ok := errors.AsType[*fsys.LockError](err); ok {
		return &LockedError{Dir: db.dir, PID: locked.PID}
	}
	if err != nil {
		return db.cannotOpen(err)
	}
	return nil
}

// errNoDirectory is the cause for a file where the store's directory should be.
var errNoDirectory = errors.New("is a file, not a directory")

func (db *DB) cannotOpen(cause error) error {
	return fmt.Errorf("siftdb: opening %s: %w", db.dir, cause)
}

func noStore(dir string) error { return fmt.Errorf("%w in %s", ErrNoStore, dir) }

// loadManifest finds the store that is in the directory, or makes one.
func (db *DB) loadManifest() (err error) {
	db.manifest, err = manifest.Load(db.fs, db.dir)
	if errors.Is(err, manifest.ErrNoStore) {
		if db.opts.ReadOnly || db.opts.MustExist {
			return noStore(db.dir)
		}
		db.manifest, err = manifest.Create(db.fs, db.dir, 1)
	}
	if err != nil {
		return err
	}
	if r := db.manifest.Report(); r.TornAt >= 0 {
		db.opts.Logger.Warn("siftdb: torn end of manifest dropped", "file", r.File, "offset", r.TornAt,
			"bytes", r.Dropped, "reason", r.Reason)
	}
	return nil
}
