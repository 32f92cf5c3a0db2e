package manifest

import (
	"fmt"

	"siftdb/internal/key"
)

// Edit is one step from a Version to the next, together with the numbers that must survive a restart. Nothing
// may change an Edit or its tables once it was given to Apply.
type Edit struct {
	// Added are tables that appear; a table that is moved is removed from one level and added to another by the
	// same Edit.
	Added []Addition
	// Removed are tables that go. All removals come before all additions.
	Removed []Removal
	// OldestLog is the number of the oldest log that recovery needs from now on; 0: as before. It never falls.
	OldestLog uint64
	// NextFile is larger than every file number given out so far. A smaller value than the one in force, and so
	// 0, leaves that as it is.
	NextFile uint64
	// LastSeq is the largest sequence number in the tables. A smaller value than the one in force, and so 0,
	// leaves that as it is.
	LastSeq key.Seq
}

// Addition is a table that appears in a level.
type Addition struct {
	Level int
	Table *Table
}

// Removal names a table that goes from a level.
type Removal struct {
	Level  int
	Number uint64
}

// String is the edit on one line, for dumps: -L0 000007 +L1 000009[a..f] log>=4.
func (e *Edit) String() string {
	var b []byte
	for _, r := range e.Removed {
		b = fmt.Appendf(b, " -L%d %06d", r.Level, r.Number)
	}
	for _, a := range e.Added {
		b = fmt.Appendf(b, " +L%d %v", a.Level, a.Table)
	}
	if e.OldestLog != 0 {
		b = fmt.Appendf(b, " oldest log %d", e.OldestLog)
	}
	if e.NextFile != 0 {
		b = fmt.Appendf(b, " next file %d", e.NextFile)
	}
	if e.LastSeq != 0 {
		b = fmt.Appendf(b, " last seq %d", e.LastSeq)
	}
	if len(b) == 0 {
		return "nothing"
	}
	return string(b[1:])
}
