package cmd

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"siftdb/db"
	"siftdb/internal/fsys"
	"siftdb/internal/manifest"
)

func newManifestCommand() *cobra.Command {
	return newParent("manifest", "Look at the manifest of a store", newManifestCheckCommand(), newManifestDumpCommand())
}

// loadManifest loads the manifest in force in the store in dir. What is no store is told in the words of the commands
// that open one.
func loadManifest(dir string) (*manifest.Store, error) {
	if info, err := fsys.OS.Stat(dir); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("siftdb: %s is a file, not a directory", dir)
	}
	loaded, err := manifest.Load(fsys.OS, dir)
	if errors.Is(err, manifest.ErrNoStore) {
		return nil, fmt.Errorf("%w in %s", db.ErrNoStore, dir)
	}
	return loaded, err
}
