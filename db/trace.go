package db

import (
	"siftdb/internal/key"
	"siftdb/sstable"
)

// Trace says what reads did; it adds up over the reads it is given to with TraceTo. One read at a time may write
// to it. To start anew, set it to Trace{}.
type Trace struct {
	// MemTables and Tables count the memtables searched and the tables whose key range held the key.
	MemTables, Tables int
	// FilterSkips, TruePasses and FalsePasses count what the tables' filters answered: surely not; maybe, and
	// the key was there; maybe, and it was not. Tables read without a usable filter are in none of them.
	FilterSkips, TruePasses, FalsePasses int
	// BlocksCached and BlocksRead count data blocks found in the block cache and read from files, where a long scan
	// reads several at once.
	BlocksCached, BlocksRead int
	// BytesRead are the bytes of BlocksRead, as the files have them.
	BytesRead int64
	// Steps has one entry for each memtable and table that a point read asked, in the order of the read.
	Steps []TraceStep
}

// TraceStep is one memtable or table asked by a point read.
type TraceStep struct {
	// Level is the table's level; -1 for a memtable.
	Level int
	// Table is the table's file name; empty for a memtable.
	Table string
	// Outcome says what came of it.
	Outcome StepOutcome
	// Value is whether a value was found here; false where the key was deleted, hidden or absent.
	Value bool
	// BlocksCached and BlocksRead count the data blocks that the step took.
	BlocksCached, BlocksRead int
}

// StepOutcome says how a step of a point read ended.
type StepOutcome uint8

const (
	// StepAbsent: no filter was asked, and the key was not there.
	StepAbsent StepOutcome = iota
	// StepFound: no filter was asked, and the key was there.
	StepFound
	// StepFilterSkip: the filter said that the key is surely not there.
	StepFilterSkip
	// StepTruePass: the filter said maybe, and the key was there.
	StepTruePass
	// StepFalsePass: the filter said maybe, and the key was not there.
	StepFalsePass
)

// String is the outcome in words, such as "filter skip".
func (o StepOutcome) String() string {
	switch o {
	case StepAbsent:
		return "absent, no filter"
	case StepFound:
		return "found, no filter"
	case StepFilterSkip:
		return "filter skip"
	case StepTruePass:
		return "true pass"
	case StepFalsePass:
		return "false pass"
	}
	return "unknown"
}

// The methods below note what a read does; on a nil Trace, which is every read without TraceTo, they do nothing.

// memTable notes that a memtable was searched.
func (t *Trace) memTable(found bool) {
	if t == nil {
		return
	}
	t.MemTables++
	step := TraceStep{Level: -1}
	if found {
		step.Outcome = StepFound
	}
	t.Steps = append(t.Steps, step)
}

// tableSkipped notes that a table's filter saved its search.
func (t *Trace) tableSkipped(level int, table *table) {
	if t == nil {
		return
	}
	t.Tables++
	t.FilterSkips++
	t.Steps = append(t.Steps, TraceStep{Level: level, Table: table.fileName(), Outcome: StepFilterSkip})
}

// tableSearched notes what the search of a table, whose filter was asked unless it is nil, came to and cost.
func (t *Trace) tableSearched(
	level int, table *table, filter *loadedFilter, outcome sstable.Outcome, took sstable.Counts,
) {
	if t == nil {
		return
	}
	step := TraceStep{
		Level:        level,
		Table:        table.fileName(),
		Outcome:      searched(filter, outcome),
		BlocksCached: took.BlocksCached,
		BlocksRead:   took.BlocksRead,
	}
	t.Tables++
	switch step.Outcome {
	case StepTruePass:
		t.TruePasses++
	case StepFalsePass:
		t.FalsePasses++
	}
	t.accessed(took)
	t.Steps = append(t.Steps, step)
}

// searched says how the search of a table ended.
func searched(filter *loadedFilter, outcome sstable.Outcome) StepOutcome {
	switch {
	case filter != nil && outcome == sstable.Absent:
		return StepFalsePass
	case filter != nil:
		return StepTruePass
	case outcome == sstable.Absent:
		return StepAbsent
	}
	return StepFound
}

// answered notes that the last step found the version of the key that counts.
func (t *Trace) answered(kind key.Kind) {
	if t == nil {
		return
	}
	t.Steps[len(t.Steps)-1].Value = kind == key.KindSet
}

// accessed adds the blocks that a table's reader took.
func (t *Trace) accessed(took sstable.Counts) {
	if t == nil {
		return
	}
	t.BlocksCached += took.BlocksCached
	t.BlocksRead += took.BlocksRead
	t.BytesRead += took.BytesRead
}
