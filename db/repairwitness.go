package db

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"siftdb/internal/manifest"
	"siftdb/wal"
)

// chooseWitness reads all manifests and takes the one that is to be believed: the one that CURRENT names; or else one
// whose tables are all there, since an edit is written only when its tables are; or else the one with the most edits.
func (r *repair) chooseWitness() error {
	chosen, current := manifest.Chosen(r.db.fs, r.db.dir)
	if current != nil && !errors.Is(current, ErrCorrupt) {
		return current
	}
	all, err := r.recallAll()
	if err != nil {
		return err
	}
	named := func(m *manifest.Memory) bool { return current == nil && m.Number == chosen }
	byWorth := func(a, b *manifest.Memory) int {
		return cmp.Or(
			heavier(a.Begun, b.Begun), heavier(named(a), named(b)), heavier(r.missing(a) == 0, r.missing(b) == 0),
			cmp.Compare(a.State.EditNumber, b.State.EditNumber), cmp.Compare(a.Number, b.Number))
	}
	for _, m := range all {
		r.edits = max(r.edits, m.State.EditNumber)
	}
	if len(all) > 0 {
		r.witness = slices.MaxFunc(all, byWorth)
	}
	switch w := r.witness; {
	case w == nil || !w.Begun && len(w.Tables) == 0 && len(w.Removed) == 0:
		r.witness, r.report.ManifestProblem = nil, errors.New("siftdb: no manifest can be read")
	case w.Damage != nil || named(w):
		r.report.Manifest, r.report.ManifestProblem = manifest.Name(w.Number), w.Damage
	case current == nil:
		r.report.Manifest = manifest.Name(w.Number)
		r.report.ManifestProblem = fmt.Errorf("siftdb: CURRENT names %s, which cannot be read", manifest.Name(chosen))
	default:
		r.report.Manifest = manifest.Name(w.Number)
		r.report.ManifestProblem = laterThan(w, all)
	}
	return nil
}

// recallAll reads all manifests that are there.
func (r *repair) recallAll() (all []*manifest.Memory, err error) {
	for _, number := range numbersOf(r.names, manifest.ParseName) {
		m, err := manifest.Recall(r.db.fs, r.db.dir, number)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// heavier orders what is so after what is not.
func heavier(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// laterThan is an error when there is a manifest that may know more than w.
func laterThan(w *manifest.Memory, all []*manifest.Memory) error {
	for _, m := range all {
		if m.State.EditNumber > w.State.EditNumber || !m.Begun && m.Number > w.Number {
			return fmt.Errorf("siftdb: %s may be newer, and cannot be believed", manifest.Name(m.Number))
		}
	}
	return nil
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
