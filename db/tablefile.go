package db

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"siftdb/internal/corrupt"
	"siftdb/internal/fsys"
)

// tableFile is a table's file, open only while it is used. It is what the table's reader reads from; what reaches the
// file system is counted there.
type tableFile struct {
	owner *tables
	table *table
	name  string

	mu    sync.RWMutex
	file  fsys.File // nil: not open
	ended bool
}

// ReadAt reads from the file, opening it first if need be. Reads may run side by side.
func (f *tableFile) ReadAt(p []byte, off int64) (int, error) {
	for {
		f.mu.RLock()
		if f.file != nil {
			defer f.mu.RUnlock()
			return f.file.ReadAt(p, off)
		}
		f.mu.RUnlock()
		if err := f.reopen(); err != nil {
			return 0, err
		}
	}
}

func (f *tableFile) reopen() error {
	opened, err := f.openOnce()
	if opened {
		f.owner.admit(f.table)
	}
	return err
}

// openOnce opens the file if nobody has, and says whether it was this call that did.
func (f *tableFile) openOnce() (opened bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.ended:
		return false, ErrClosed
	case f.file != nil:
		return false, nil
	}
	file, err := f.owner.fs.Open(f.name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, missingTable(f.name)
	}
	if err != nil {
		return false, fmt.Errorf("siftdb: opening a table: %w", err)
	}
	f.file = fsys.Counted(file, &f.owner.calls)
	return true, nil
}

func missingTable(name string) error {
	return corrupt.New(name, -1, "the manifest names this table, and it is missing")
}

// shut closes the file until the next read, after the reads that are running.
func (f *tableFile) shut() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file == nil {
		return nil
	}
	err := f.file.Close()
	f.file = nil
	return err
}

// end closes the file for ever: reads give ErrClosed.
func (f *tableFile) end() error {
	f.mu.Lock()
	f.ended = true
	f.mu.Unlock()
	return f.shut()
}
