package db

import (
	"fmt"
	"slices"
)

// RepairReport says what Repair found and what it did. File names are without the directory.
type RepairReport struct {
	// Problem is the damage that was found first; nil: the store was sound, and nothing was changed.
	Problem error
	// Manifest is the file that was believed about which tables belong to the store; empty: none could be read, and
	// all tables that were there were taken. ManifestProblem says why it may not tell all; nil where it does.
	Manifest        string
	ManifestProblem error
	// Tables are the tables of the store before the repair, and all others that were there, by name.
	Tables []RepairedTable
	// Logs are the log segments, by number.
	Logs []RepairedLog
	// SetAside are the new names of files that were renamed: they are no part of the store any more, and nothing in
	// them is needed that could be read. Repair never removes a file that it did not make.
	SetAside []string
}

// Sound says that nothing was wrong.
func (r *RepairReport) Sound() bool { return r.Problem == nil }

// Whole says that nothing is known to be lost that a write was acknowledged for. Where ManifestProblem is not nil,
// more may be missing than is known.
func (r *RepairReport) Whole() bool {
	return !slices.ContainsFunc(r.Tables, func(t RepairedTable) bool { return len(t.Lost) > 0 }) &&
		!slices.ContainsFunc(r.Logs, func(l RepairedLog) bool { return l.Problem != nil })
}

// RepairedTable says what became of one table.
type RepairedTable struct {
	File string
	Fate Fate
	// Problem is what was wrong with it, or why it was not used; nil for a table that was kept.
	Problem error
	// Entries counts what is in the store again, in this file or another.
	Entries uint64
	// Lost are the ranges of keys of which entries are lost. Reads of such keys find nothing, or an older value: what
	// was lost may have overwritten or deleted it.
	Lost []Range
}

// RepairedLog says what became of one log segment.
type RepairedLog struct {
	File string
	// Groups counts the commit groups that were read, DroppedBytes what was not.
	Groups       int
	DroppedBytes int64
	// Torn says why bytes were dropped that a crash may leave so, Problem why others were: writes in them are lost.
	Torn    string
	Problem error
}

// Fate says what became of a table.
type Fate uint8

// The fates of tables.
const (
	TableKept      Fate = iota // as it was
	TableRewritten             // all its entries are in other files now
	TableSalvaged              // a part of its entries is in other files now
	TableLost                  // missing, or nothing of it can be read
	TableGone                  // missing, and perhaps replaced by a step that the manifest has lost
	TableUnneeded              // no part of the store: what is left of work that was finished or cut short
)

// String is the fate in one word.
func (f Fate) String() string {
	if int(f) < len(fateNames) {
		return fateNames[f]
	}
	return fmt.Sprintf("fate(%d)", uint8(f))
}

var fateNames = [...]string{"kept", "rewritten", "salvaged", "lost", "gone", "unneeded"}
