package db

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"siftdb/internal/manifest"
	"siftdb/wal"
)

// survey finds out what is there and which manifest to believe.
func (r *repair) survey(context.Context) error {
	names, err := r.db.fs.List(r.db.dir)
	if err != nil {
		return r.db.cannotOpen(err)
	}
	for _, name := range names {
		if !r.db.isDirectory(filepath.Join(r.db.dir, name)) {
			r.names = append(r.names, name)
		}
	}
	if err := r.chooseWitness(); err != nil {
		return err
	}
	r.logs = numbersOf(r.names, wal.ParseName)
	r.db.nextFile.Store(r.freeNumber())
	return r.checkWitness()
}

// numbersOf are the numbers in the names that parse reads, ascending.
func numbersOf(names []string, parse func(string) (uint64, bool)) (numbers []uint64) {
	for _, name := range names {
		if number, ok := parse(name); ok {
			numbers = append(numbers, number)
		}
	}
	slices.Sort(numbers)
	return numbers
}

// chooseWitness reads all manifests and takes the one that is to be believed: the one that CURRENT names; or else one
// that says whole and all whose tables are there, since an edit is written only when its tables are; or else the one
// with the most edits.
func (r *repair) chooseWitness() error {
	chosen, current := manifest.Chosen(r.db.fs, r.db.dir)
	if current != nil && !errors.Is(current, ErrCorrupt) {
		return current
	}
	problem := current
	if current == nil {
		problem = fmt.Errorf("siftdb: CURRENT names %s, which is missing", manifest.Name(chosen))
	}
	var best *manifest.Memory
	rank := func(m *manifest.Memory) []uint64 {
		named := current == nil && m.Number == chosen
		return []uint64{score(m.Begun), score(named), score(r.missing(m) == 0), m.State.EditNumber, m.Number}
	}
	for _, number := range numbersOf(r.names, manifest.ParseName) {
		m, err := manifest.Recall(r.db.fs, r.db.dir, number)
		if err != nil {
			return err
		}
		r.edits = max(r.edits, m.State.EditNumber)
		if !m.Begun && len(m.Tables) == 0 && len(m.Removed) == 0 {
			problem = m.Damage
			continue
		}
		if best == nil || slices.Compare(rank(m), rank(best)) > 0 {
			best = m
		}
	}
	r.witness = best
	if best == nil {
		r.report.ManifestProblem = fmt.Errorf("siftdb: no manifest can be read: %w", problem)
		return nil
	}
	r.report.Manifest, r.report.ManifestProblem = manifest.Name(best.Number), best.Damage
	if current == nil && best.Number != chosen && best.Damage == nil {
		r.report.ManifestProblem = problem
	}
	return nil
}

func score(yes bool) uint64 {
	if yes {
		return 1
	}
	return 0
}

// missing counts the tables that m names and that are not there.
func (r *repair) missing(m *manifest.Memory) (n int) {
	for number := range m.Tables {
		if _, there := slices.BinarySearch(r.names, manifest.TableName(number)); !there {
			n++
		}
	}
	return n
}

// asideSuffix is put behind the names of files that are no part of the store any more; a number follows it where the
// name is taken.
const asideSuffix = ".aside"

// freeNumber is larger than that of every table that is there, was there or was spoken of.
func (r *repair) freeNumber() uint64 {
	next := uint64(1)
	if r.witness != nil {
		next = max(next, r.witness.State.NextFile)
	}
	for _, name := range r.names {
		base, _, _ := strings.Cut(name, asideSuffix)
		if number, ok := manifest.ParseTableName(base); ok {
			next = max(next, number+1)
		}
	}
	return next
}

// checkWitness looks for signs that the manifest lacks edits although it looks whole: a log that was begun after more
// of them; or files that it names and that are gone, beside tables that it does not name, as after a flush or a
// compaction.
func (r *repair) checkWitness() error {
	read, err := wal.Salvage(r.db.fs, r.db.dir, r.logs, func(uint64, []byte) error { return nil })
	if err != nil {
		return r.db.cannotOpen(err)
	}
	problem := r.report.ManifestProblem
	for _, s := range read.Segments {
		if problem == nil && s.LastEdit > r.witness.State.EditNumber {
			problem = fmt.Errorf("siftdb: %s ends at edit %d, but log segment %d was begun after edit %d",
				r.report.Manifest, r.witness.State.EditNumber, s.Number, s.LastEdit)
		}
		r.edits = max(r.edits, s.LastEdit)
	}
	if problem == nil && r.strangers() > 0 {
		missing := r.missing(r.witness)
		if oldest := r.witness.State.OldestLog; oldest != 0 && !slices.Contains(r.logs, oldest) {
			missing++
		}
		if missing > 0 {
			problem = fmt.Errorf("siftdb: of the files that %s names %d are missing, and %d other tables are there",
				r.report.Manifest, missing, r.strangers())
		}
	}
	r.report.ManifestProblem = problem
	r.whole = problem == nil
	return nil
}

// strangers counts the tables that are there and that the witness says nothing of.
func (r *repair) strangers() (n int) {
	for _, number := range numbersOf(r.names, manifest.ParseTableName) {
		if _, named := r.witness.Tables[number]; !named && !r.witness.Removed[number] {
			n++
		}
	}
	return n
}
