package db

import (
	"fmt"
	"path/filepath"
	"slices"

	"siftdb/internal/key"
	"siftdb/internal/manifest"
	"siftdb/wal"
)

// commit puts a new manifest in force, in an order that can be cut off anywhere. All new tables are durable by now.
//
//	the new manifest is written      cut: the old one counts, and the new files are strangers to it
//	CURRENT is put aside             cut: the new manifest counts, the newest that names tables that are all there
//	what is not needed is put aside  cut: likewise
//	CURRENT names the new manifest
//
// Files are put aside only when nothing names them any more, since the next Open would remove them.
func (r *repair) commit() error {
	fs, dir := r.db.fs, r.db.dir
	number := uint64(1)
	for _, n := range numbersOf(r.names, manifest.ParseName) {
		number = max(number, n+1)
	}
	content := &manifest.Edit{Added: r.additions(), NextFile: r.db.nextFile.Load(), LastSeq: r.lastSeq()}
	if err := manifest.Write(fs, dir, number, r.edits+1, content); err != nil {
		r.db.removeFile(filepath.Join(dir, manifest.Name(number)))
		r.db.discard(r.built)
		return err
	}
	if err := r.putAside([]string{manifest.CurrentName}); err != nil {
		return err
	}
	if err := r.putAside(r.unneeded()); err != nil {
		return err
	}
	return manifest.Choose(fs, dir, number)
}

// lastSeq is the largest sequence number that is known of.
func (r *repair) lastSeq() key.Seq {
	last := r.rec.lastSeq
	for _, t := range r.tables {
		last = max(last, t.meta.LargestSeq)
	}
	return last
}

// unneeded are the files of the store that the new manifest does not need: other manifests, logs, and tables that are
// not among those it names.
func (r *repair) unneeded() (names []string) {
	named := make(map[uint64]bool)
	for _, t := range r.tables {
		named[t.meta.Number] = true
	}
	for _, name := range r.names {
		number, isTable := manifest.ParseTableName(name)
		_, isManifest := manifest.ParseName(name)
		_, isLog := wal.ParseName(name)
		if isTable && !named[number] || isManifest || isLog {
			names = append(names, name)
		}
	}
	return names
}

// putAside renames files that are there, durably.
func (r *repair) putAside(names []string) error {
	for _, name := range names {
		if !slices.Contains(r.names, name) {
			continue
		}
		to := r.freeName(name)
		if err := r.db.fs.Rename(filepath.Join(r.db.dir, name), filepath.Join(r.db.dir, to)); err != nil {
			return fmt.Errorf("siftdb: putting a file aside: %w", err)
		}
		r.report.SetAside = append(r.report.SetAside, to)
		r.db.opts.Logger.Warn("siftdb: file put aside by repair", "file", name, "as", to)
	}
	if err := r.db.fs.SyncDir(r.db.dir); err != nil {
		return fmt.Errorf("siftdb: putting files aside: %w", err)
	}
	return nil
}

// freeName is the name that a file gets when it is put aside.
func (r *repair) freeName(name string) string {
	to := name + asideSuffix
	for n := 2; slices.Contains(r.names, to) || slices.Contains(r.report.SetAside, to); n++ {
		to = fmt.Sprintf("%s%s%d", name, asideSuffix, n)
	}
	return to
}
