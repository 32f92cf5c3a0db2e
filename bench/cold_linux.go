package bench

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// canDropCache says whether dropCache works on this system.
const canDropCache = true

// dropCache makes the system forget what it caches of the table files in dir, so that the next reads come from the
// disk.
func dropCache(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, "*"+tableSuffix))
	if err != nil {
		return fmt.Errorf("siftdb: bench: %w", err)
	}
	for _, name := range names {
		if err := dropFileCache(name); err != nil {
			return fmt.Errorf("siftdb: bench: drop the system's cache of %s: %w", name, err)
		}
	}
	return nil
}

func dropFileCache(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	// Pages that are not yet on disk stay in the cache whatever is advised.
	if err := f.Sync(); err != nil {
		return err
	}
	return unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED)
}
