package manifest

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"siftdb/internal/corrupt"
	"siftdb/internal/fsys"
	"siftdb/internal/record"
)

// Report says what Load read.
type Report struct {
	// File is the manifest's path, Number the number in its name.
	File   string
	Number uint64
	// Edits counts the edits behind the snapshot.
	Edits int
	// TornAt is the offset of an edit that was being written when the power went, or -1. It was never acknowledged
	// and is not in the version. Dropped counts the bytes from there on, Reason says what is wrong with them.
	TornAt  int64
	Dropped int64
	Reason  string
}

// Load reads the store's manifest. It writes nothing: the first Apply makes a new manifest, so that nothing is
// ever appended to a torn one. The error is ErrNoStore where there is no store, a *corrupt.Error where one has
// lost or damaged its CURRENT or its manifest, and otherwise the file system's.
func Load(files fsys.FS, dir string) (*Store, error) {
	number, err := readCurrent(files, dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, withoutCurrent(files, dir)
	case errors.Is(err, corrupt.ErrCorrupt):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("siftdb: manifest: %w", err)
	}
	return LoadNumber(files, dir, number)
}

// LoadNumber is Load of the manifest with that number, whatever CURRENT says: for a store whose CURRENT is lost.
func LoadNumber(files fsys.FS, dir string, number uint64) (*Store, error) {
	scan, err := openScanner(files, dir, number)
	if err != nil {
		return nil, err
	}
	defer scan.f.Close()
	s := &Store{fs: files, dir: dir}
	s.report = Report{File: filepath.Join(dir, Name(number)), Number: number, TornAt: -1}
	content, err := scan.replay(&s.report)
	if err != nil {
		return nil, scan.explain(err)
	}
	s.current.Store(content)
	return s, nil
}

// Report is what Load found; of a store that was created, nothing.
func (s *Store) Report() Report { return s.report }

// replay puts the records together. What it leaves out as torn it writes into the report.
func (s *scanner) replay(report *Report) (*snapshot, error) {
	content, err := s.readSnapshot()
	if err != nil {
		return nil, err
	}
	for {
		r, err := s.next()
		if err == io.EOF {
			return content, nil
		}
		if bad, ok := errors.AsType[*record.Bad](err); ok {
			if err := s.judge(bad); err != nil {
				return nil, err
			}
			report.TornAt, report.Dropped, report.Reason = bad.Offset, s.size-bad.Offset, bad.Reason
			return content, nil
		}
		if err != nil {
			return nil, err
		}
		if r.Edit == nil {
			continue
		}
		if r.Kind != "edit" || r.EditNumber != content.EditNumber+1 {
			return nil, corrupt.New(s.name, r.Offset, "edit %d expected, %s %d found",
				content.EditNumber+1, r.Kind, r.EditNumber)
		}
		if content, err = content.apply(r.Edit); err != nil {
			return nil, corrupt.New(s.name, r.Offset, "%v", err)
		}
		report.Edits++
	}
}

// readSnapshot reads the first record, which was durable before CURRENT named the file.
func (s *scanner) readSnapshot() (*snapshot, error) {
	r, err := s.next()
	if err == io.EOF {
		return nil, corrupt.New(s.name, headerSize, "the snapshot is missing")
	}
	if err != nil {
		return nil, err
	}
	if r.Kind != "snapshot" {
		return nil, corrupt.New(s.name, r.Offset, "a snapshot expected, %s found", r.Kind)
	}
	content, err := newSnapshot().apply(r.Edit)
	if err != nil {
		return nil, corrupt.New(s.name, r.Offset, "%v", err)
	}
	content.EditNumber = r.EditNumber
	return content, nil
}

// judge looks onward from a bad record. It returns an error when a later record witnesses that the bad one was
// durable; without a witness it was never acknowledged, and nothing behind it was.
func (s *scanner) judge(bad *record.Bad) error {
	for {
		witness, err := s.next()
		if _, ok := errors.AsType[*record.Bad](err); ok {
			if _, found, err := s.r.FindNext(); err != nil || !found {
				return err
			}
			continue
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if witness.Synced > bad.Offset {
			return corrupt.New(s.name, bad.Offset, "%s, though the record at %d says that it was durable",
				bad.Reason, witness.Offset)
		}
	}
}
