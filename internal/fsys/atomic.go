package fsys

import (
	"errors"
	"path/filepath"
)

// TempSuffix ends the name of the file that WriteFileAtomic writes before it renames it. A crash can leave one
// behind; it holds nothing of worth.
const TempSuffix = ".tmp"

// WriteFileAtomic replaces the content of name, so that a crash at any moment leaves the old content or the new
// one, whole. When it returns nil the new content is durable. An error before the rename leaves the old content;
// after it (the directory could not be synced) a power cut may still bring back the old.
func WriteFileAtomic(fs FS, name string, data []byte) error {
	temp := name + TempSuffix
	if err := writeSynced(fs, temp, data); err != nil {
		return errors.Join(err, removeLeftover(fs, temp))
	}
	if err := fs.Rename(temp, name); err != nil {
		return errors.Join(err, removeLeftover(fs, temp))
	}
	return fs.SyncDir(filepath.Dir(name))
}

func writeSynced(fs FS, name string, data []byte) error {
	f, err := fs.Create(name)
	if err != nil {
		return err
	}
	if _, err := f.WriteAt(data, 0); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := f.Sync(); err != nil {
		return errors.Join(err, f.Close())
	}
	return f.Close()
}

// removeLeftover removes a half-written file; one that was never made is no error.
func removeLeftover(fs FS, name string) error {
	if _, err := fs.Stat(name); err != nil {
		return nil
	}
	return fs.Remove(name)
}
