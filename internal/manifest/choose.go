package manifest

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"siftdb/internal/corrupt"
	"siftdb/internal/fsys"
)

// Write makes a manifest with the given number that holds the tables and numbers of content, after that many edits. It
// is durable when Write returns, its name too. CURRENT stays as it is; Choose makes it name the manifest.
func Write(files fsys.FS, dir string, number, edits uint64, content *Edit) error {
	s, err := newSnapshot().apply(content)
	if err != nil {
		return err
	}
	s.EditNumber = edits
	m, err := createFile(files, dir, number, s)
	if err == nil {
		err = errors.Join(m.f.Close(), files.SyncDir(dir))
	}
	if err != nil {
		return fmt.Errorf("siftdb: manifest: %w", err)
	}
	return nil
}

// Choose makes CURRENT name a manifest that Write has made. It is durable when Choose returns nil.
func Choose(files fsys.FS, dir string, number uint64) error {
	if err := writeCurrent(files, dir, number); err != nil {
		return fmt.Errorf("siftdb: manifest: %w", err)
	}
	return nil
}

// Chosen is the number of the manifest that CURRENT names, be it there or not. The error is a *corrupt.Error where
// CURRENT is missing or damaged, and else the file system's.
func Chosen(files fsys.FS, dir string) (uint64, error) {
	number, err := readCurrent(files, dir)
	switch {
	case err == nil || errors.Is(err, corrupt.ErrCorrupt):
		return number, err
	case errors.Is(err, fs.ErrNotExist):
		return 0, corrupt.New(filepath.Join(dir, CurrentName), -1, "missing")
	}
	return 0, fmt.Errorf("siftdb: manifest: %w", err)
}
