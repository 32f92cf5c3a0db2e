package db

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"

	"siftdb/internal/corrupt"
	"siftdb/internal/fsys"
)

// tableFile is a table's file, open only while it is used. It is what the table's reader reads from; what reaches the
// file system is counted there.
type tableFile struct {
	owner *tables
	table *table
	name  string
	open  atomic.Pointer[openFile] // nil: not open

	mu    sync.Mutex // guards what follows, and is held while the file is opened
	ended bool

	handles sync.WaitGroup // those that are not closed yet
}

// openFile is an open handle of a file. Whoever lets it go last closes it, so that nobody who makes room for other
// files has to wait for a read.
type openFile struct {
	fsys.File
	users atomic.Int64 // the reads that are running, and the tableFile until it is shut
}

// ReadAt reads from the file, opening it first if need be. Reads may run side by side.
func (f *tableFile) ReadAt(p []byte, off int64) (int, error) {
	for {
		if file := f.acquire(); file != nil {
			defer f.release(file)
			return file.ReadAt(p, off)
		}
		if err := f.reopen(); err != nil {
			return 0, err
		}
	}
}

// acquire takes the open handle, or nil if there is none.
func (f *tableFile) acquire() *openFile {
	for {
		file := f.open.Load()
		if file == nil {
			return nil
		}
		// A count of zero means that the file was shut between the two lines.
		if n := file.users.Load(); n > 0 && file.users.CompareAndSwap(n, n+1) {
			return file
		}
	}
}

// release gives a handle back.
func (f *tableFile) release(file *openFile) error {
	if file.users.Add(-1) > 0 {
		return nil
	}
	defer f.handles.Done()
	return file.Close()
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
	case f.open.Load() != nil:
		return false, nil
	}
	file, err := f.owner.fs.Open(f.name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, missingTable(f.name)
	}
	if err != nil {
		return false, fmt.Errorf("siftdb: opening a table: %w", err)
	}
	f.handles.Add(1)
	handle := &openFile{File: fsys.Counted(file, &f.owner.calls)}
	handle.users.Store(1)
	f.open.Store(handle)
	return true, nil
}

func missingTable(name string) error {
	return corrupt.New(name, -1, "the manifest names this table, and it is missing")
}

// shut closes the file until the next read. Reads that are running end as if it were open.
func (f *tableFile) shut() error {
	file := f.open.Swap(nil)
	if file == nil {
		return nil
	}
	return f.release(file)
}

// end closes the file for ever, after the reads that are running: later ones give ErrClosed.
func (f *tableFile) end() error {
	f.mu.Lock()
	f.ended = true
	f.mu.Unlock()
	err := f.shut()
	f.handles.Wait()
	return err
}
