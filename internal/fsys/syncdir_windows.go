package fsys

import (
	"io/fs"
	"os"
)

// syncDir has nothing to call here: directories cannot be synced, their entries are made durable by the file system's
// own journal. A directory that does not exist is an error all the same.
func syncDir(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return &fs.PathError{Op: "sync", Path: dir, Err: fs.ErrInvalid}
	}
	return nil
}
