package fsys

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// OS is the operating system's files. It has no state; any number of goroutines may use it.
//
// File.Sync is that of package os, which on macOS asks the drive itself (F_FULLFSYNC) and not only the system, and
// falls back to a plain fsync where a file system lacks that. What is open is not inherited by child processes.
//
// Create, Rename and Remove are tried again for up to a second when Windows says that somebody else, a virus
// scanner say, holds the file for a moment.
var OS FS = osFS{}

type osFS struct{}

func (osFS) Create(name string) (File, error) {
	var f *os.File
	err := retry(func() (err error) {
		f, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o644)
		return err
	}, heldElsewhere)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (osFS) Open(name string) (File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (osFS) Rename(oldname, newname string) error {
	return retry(func() error { return os.Rename(oldname, newname) }, heldElsewhere)
}

func (osFS) Remove(name string) error {
	return retry(func() error { return os.Remove(name) }, heldElsewhere)
}

// MkdirAll also syncs the directory that holds the first one it found, since that one may have been made a
// moment ago by a process that was killed before it could.
func (o osFS) MkdirAll(dir string) error {
	dir = filepath.Clean(dir)
	found, missing, err := splitMissing(dir)
	if err != nil {
		return err
	}
	if err := o.SyncDir(filepath.Dir(found)); err != nil && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	for _, d := range missing {
		if err := os.Mkdir(d, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		if err := o.SyncDir(filepath.Dir(d)); err != nil {
			return err
		}
	}
	return nil
}

// splitMissing goes up from dir to the first directory that exists, and returns it and those below it that do
// not, outermost first.
func splitMissing(dir string) (found string, missing []string, err error) {
	for {
		info, err := os.Stat(dir)
		if err == nil && !info.IsDir() {
			return "", nil, &fs.PathError{Op: "mkdir", Path: dir, Err: errors.New("is a file")}
		}
		if err == nil {
			return dir, missing, nil
		}
		parent := filepath.Dir(dir)
		if !errors.Is(err, fs.ErrNotExist) || parent == dir {
			return "", nil, err
		}
		missing = append([]string{dir}, missing...)
		dir = parent
	}
}

func (osFS) List(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names, nil
}

func (osFS) Stat(name string) (fs.FileInfo, error) { return os.Stat(name) }

func (osFS) SyncDir(dir string) error { return syncDir(dir) }

func (osFS) Lock(name string, mode LockMode) (io.Closer, error) { return lockFile(name, mode) }
