package cmd

import (
	"errors"
	"io/fs"
	"iter"
	"path/filepath"

	"github.com/spf13/cobra"

	"siftdb/internal/corrupt"
	"siftdb/internal/fsys"
	"siftdb/internal/manifest"
	"siftdb/wal"
)

func newManifestCheckCommand() *cobra.Command {
	var format outputFormat
	c := &cobra.Command{
		Use:   "check DIR",
		Short: "Check the manifest, and that what it names is there",
		Long: `Load the manifest of the store in a directory and check that each table that it names is
there and as long as it should be, and that the oldest log is there. Damage is exit
code 4. The store is not locked.`,
		Example: "  siftdb manifest check fruit",
		Args:    arguments,
		RunE: func(c *cobra.Command, given []string) error {
			loaded, err := loadManifest(given[0])
			if err != nil {
				return err
			}
			if r := loaded.Report(); r.TornAt >= 0 {
				note(c, "%s: %d bytes from offset %d on were being written when the power went: %s",
					r.File, r.Dropped, r.TornAt, r.Reason)
			}
			files := &tolerant[namedFile]{rows: namedFiles(given[0], loaded)}
			err = writeListing(c.OutOrStdout(), format, namedFileColumns(), until(c.Context(), files.all()))
			return errors.Join(err, files.damage, loaded.Close())
		},
	}
	addOutputFlag(c, &format)
	return c
}

// namedFile is a file that a manifest names.
type namedFile struct {
	name  string
	level int   // -1: a log
	size  int64 // -1: as it is
}

// namedFiles looks at each file that a manifest names.
func namedFiles(dir string, m *manifest.Store) iter.Seq2[namedFile, error] {
	return func(yield func(namedFile, error) bool) {
		for level, t := range m.Version().All() {
			name := filepath.Join(dir, manifest.TableName(t.Number))
			if !yield(namedFile{filepath.Base(name), level, t.Size}, checkSize(name, t.Size)) {
				return
			}
		}
		if oldest := m.State().OldestLog; oldest > 0 {
			name := filepath.Join(dir, wal.Name(oldest))
			yield(namedFile{filepath.Base(name), -1, -1}, checkSize(name, -1))
		}
	}
}

// checkSize finds a file missing, or of another size than it should be; -1: of any size.
func checkSize(name string, size int64) error {
	info, err := fsys.OS.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return corrupt.New(name, -1, "it is missing")
	case err != nil:
		return err
	case size >= 0 && info.Size() != size:
		return corrupt.New(name, min(size, info.Size()), "it has %d bytes, the manifest says %d", info.Size(), size)
	}
	return nil
}

func namedFileColumns() []column[judged[namedFile]] {
	type F = judged[namedFile]
	return []column[F]{
		{name: "file", title: "file", value: func(f F) any { return f.row.name }},
		{name: "level", title: "level", value: func(f F) any {
			if f.row.level < 0 {
				return nil
			}
			return f.row.level
		}},
		{name: "bytes", title: "size", value: func(f F) any {
			if f.row.size < 0 {
				return nil
			}
			return f.row.size
		}},
		problemColumn[namedFile](),
	}
}
