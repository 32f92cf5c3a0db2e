package cmd

import (
	"fmt"

	"siftdb/internal/fsys"
	"siftdb/sstable"
)

// withTable calls fn with a reader of the table in a file, whoever the file belongs to. Nothing is locked: a table
// does not change.
func withTable(name string, fn func(r *sstable.Reader) error) error {
	f, err := fsys.OS.Open(name)
	if err != nil {
		return fmt.Errorf("siftdb: %w", err)
	}
	defer f.Close() // it was only read
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("siftdb: %w", err)
	}
	if info.IsDir() {
		return fmt.Errorf("siftdb: %s is a directory, not a table", name)
	}
	r, err := sstable.Open(f, info.Size(), sstable.ReaderOptions{Name: name})
	if err != nil {
		return err
	}
	return fn(r)
}
