package cmd

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"siftdb/internal/corrupt"
	"siftdb/internal/fsys"
	"siftdb/internal/manifest"
)

func newManifestDumpCommand() *cobra.Command {
	var format outputFormat
	c := &cobra.Command{
		Use:   "dump FILE|DIR",
		Short: "Print the records of a manifest",
		Long: `Print the records of a manifest, or of the one in force in a store's directory, with
their offsets: the snapshot at its head, edits, and seals. The first that does not check
ends the listing with its offset, and exit code 4. That may be damage, or only the end
of what was being written when the power went: opening the store decides it.`,
		Example: "  siftdb manifest dump fruit\n  siftdb manifest dump fruit/MANIFEST-000002 -o json",
		Args:    arguments,
		RunE: func(c *cobra.Command, given []string) error {
			dir, base, err := manifestFile(given[0])
			if err != nil {
				return err
			}
			records := until(c.Context(), manifest.Records(fsys.OS, dir, base))
			return writeListing(c.OutOrStdout(), format, manifestColumns(), records)
		},
	}
	addOutputFlag(c, &format)
	return c
}

// manifestFile is the manifest that a path stands for: that file or, for a directory, the one in force there.
func manifestFile(name string) (dir, base string, err error) {
	info, err := fsys.OS.Stat(name)
	if err != nil {
		return "", "", fmt.Errorf("siftdb: %w", err)
	}
	if !info.IsDir() {
		return filepath.Dir(name), filepath.Base(name), nil
	}
	loaded, err := loadManifest(name)
	if err == nil {
		return name, manifest.Name(loaded.Report().Number), loaded.Close()
	}
	// A manifest that is damaged can be dumped up to there, if it is known which one it is.
	if damage, ok := errors.AsType[*corrupt.Error](err); ok {
		if _, ok := manifest.ParseName(filepath.Base(damage.File)); ok {
			return name, filepath.Base(damage.File), nil
		}
	}
	return "", "", err
}

func manifestColumns() []column[manifest.Record] {
	type R = manifest.Record
	return []column[R]{
		{name: "offset", title: "offset", value: func(r R) any { return r.Offset }},
		{name: "length", title: "length", value: func(r R) any { return r.Length }},
		{name: "kind", title: "kind", value: func(r R) any { return r.Kind }},
		{name: "synced_to", title: "synced to", value: func(r R) any { return r.Synced }},
		{name: "edit", title: "edit", value: func(r R) any {
			if r.Edit == nil {
				return nil
			}
			return r.EditNumber
		}},
		{name: "content", title: "content", value: func(r R) any {
			if r.Edit == nil {
				return nil
			}
			return r.Edit.String()
		}},
	}
}
