package manifest

import (
	"errors"
	"fmt"
	"io"

	"siftdb/internal/corrupt"
	"siftdb/internal/fsys"
	"siftdb/internal/record"
)

// Memory is what can still be read of one manifest, whole or damaged. It is a witness: which tables live, which are
// gone. It has not been checked that the tables fit each other in their levels.
type Memory struct {
	// Number is that of the manifest.
	Number uint64
	// Begun says that the snapshot at its head was read. Without it Tables are those of the edits only.
	Begun bool
	// Tables are those that live after the last edit that was read, by number.
	Tables map[uint64]Addition
	// Removed holds the tables that an edit took out and no later one put back.
	Removed map[uint64]bool
	// State is that after the last edit that was read.
	State State
	// Damage is nil when no edit that was durable is missing; else it says what was found first. A torn end is no
	// damage, nor is a bad record that held no edit.
	Damage error
}

// Recall reads all records of a manifest that are sound, in order, past those that are not. The error is a
// *corrupt.Error where there is no such manifest; or the file system's; or says that the manifest is of a format that
// this version does not know.
func Recall(files fsys.FS, dir string, number uint64) (*Memory, error) {
	s, damage, err := openDamaged(files, dir, number)
	if err != nil {
		return nil, err
	}
	defer s.f.Close()
	if header, ok := errors.AsType[*corrupt.Error](damage); ok && header.Offset == formatOffset {
		return nil, fmt.Errorf("siftdb: manifest: %s: %s", s.name, header.Reason)
	}
	m := &Memory{Number: number, Tables: make(map[uint64]Addition), Removed: make(map[uint64]bool), Damage: damage}
	return m, m.read(s)
}

// read takes in the records.
func (m *Memory) read(s *scanner) error {
	var bad error // that was found since the last edit
	badAt := int64(0)
	for {
		r, err := s.next()
		if err == io.EOF {
			m.end(s)
			return nil
		}
		_, isBad := errors.AsType[*record.Bad](err)
		if err != nil && bad == nil {
			bad, badAt = s.explain(err), s.r.Offset()
		}
		switch {
		case isBad:
			_, found, err := s.r.FindNext()
			if err != nil {
				return s.explain(err)
			}
			if !found {
				m.end(s)
				return nil
			}
		case errors.Is(err, corrupt.ErrCorrupt): // sound, and makes no sense
			m.damaged(bad)
		case err != nil:
			return s.explain(err)
		case r.Edit == nil:
			if bad != nil && r.Synced > badAt {
				m.damaged(bad)
			}
		default:
			if r.Kind == "edit" && r.EditNumber != m.State.EditNumber+1 {
				m.damaged(bad)
				m.damaged(corrupt.New(s.name, r.Offset, "edit %d expected, %d found",
					m.State.EditNumber+1, r.EditNumber))
			}
			bad = nil
			m.take(r)
		}
	}
}

// end is called when there are no more records.
func (m *Memory) end(s *scanner) {
	if !m.Begun {
		m.damaged(corrupt.New(s.name, headerSize, "the snapshot is missing"))
	}
}

// damaged notes damage, unless some was found before.
func (m *Memory) damaged(err error) {
	if m.Damage == nil {
		m.Damage = err
	}
}

// take puts the step of an edit, or of the snapshot, on top of what is known.
func (m *Memory) take(r Record) {
	m.Begun = m.Begun || r.Kind == "snapshot"
	for _, gone := range r.Edit.Removed {
		delete(m.Tables, gone.Number)
		m.Removed[gone.Number] = true
	}
	s := &m.State
	s.EditNumber = r.EditNumber
	s.NextFile = max(s.NextFile, r.Edit.NextFile, r.Edit.OldestLog+1)
	s.LastSeq = max(s.LastSeq, r.Edit.LastSeq)
	s.OldestLog = max(s.OldestLog, r.Edit.OldestLog)
	for _, a := range r.Edit.Added {
		m.Tables[a.Table.Number] = a
		delete(m.Removed, a.Table.Number)
		s.NextFile = max(s.NextFile, a.Table.Number+1)
		s.LastSeq = max(s.LastSeq, a.Table.LargestSeq)
	}
}
