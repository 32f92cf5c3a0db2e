package manifest

import (
	"fmt"

	"siftdb/internal/key"
)

// State is what a manifest keeps beside the tables.
type State struct {
	// EditNumber counts the edits of the store's life; it rises by one with each.
	EditNumber uint64
	// NextFile is larger than every file number given out.
	NextFile uint64
	// LastSeq is the largest sequence number in the tables.
	LastSeq key.Seq
	// OldestLog is the number of the oldest log that recovery needs; 0: all logs that are there.
	OldestLog uint64
}

// snapshot is the whole content of a manifest at one moment; it does not change.
type snapshot struct {
	version *Version
	State
}

// newSnapshot is the content of a new store.
func newSnapshot() *snapshot {
	return &snapshot{version: &Version{}, State: State{NextFile: 1}}
}

// apply returns the snapshot after e, or an error that says why e does not fit.
func (s *snapshot) apply(e *Edit) (*snapshot, error) {
	version, err := s.version.Apply(e)
	if err != nil {
		return nil, err
	}
	next := &snapshot{version: version, State: s.State}
	next.EditNumber++
	next.NextFile = max(next.NextFile, e.NextFile, e.OldestLog+1)
	next.LastSeq = max(next.LastSeq, e.LastSeq)
	for _, a := range e.Added {
		next.NextFile = max(next.NextFile, a.Table.Number+1)
		next.LastSeq = max(next.LastSeq, a.Table.LargestSeq)
	}
	if e.OldestLog != 0 {
		if e.OldestLog < s.OldestLog {
			return nil, fmt.Errorf("siftdb: manifest edit asks for log %d, but logs before %d were given up",
				e.OldestLog, s.OldestLog)
		}
		next.OldestLog = e.OldestLog
	}
	return next, nil
}

// record is the snapshot as the record at the head of a manifest: an edit that makes it from nothing.
func (s *snapshot) record() editRecord {
	added := make([]Addition, 0, s.version.NumTables())
	for level, t := range s.version.All() {
		added = append(added, Addition{Level: level, Table: t})
	}
	return editRecord{number: s.EditNumber, edit: Edit{
		Added:     added,
		OldestLog: s.OldestLog,
		NextFile:  s.NextFile,
		LastSeq:   s.LastSeq,
	}}
}
