package bloom

// Place is what a policy is told about the table to be built.
type Place struct {
	// Level is the level the table goes to; 0 is the youngest.
	Level int
	// Bottommost says that no table below holds older data of the same keys.
	Bottommost bool
	// Reason is why the table is built.
	Reason Reason
	// Bits is the bits per key that the plan has for a young table, see YoungBits; 0: those that are asked for.
	Bits float64
}

// Reason is why a table is built.
type Reason uint8

// The reasons.
const (
	ReasonFlush      Reason = iota // a memtable that is full, or asked to go
	ReasonRecovery                 // what a log held when the store was opened
	ReasonCompaction               // older tables
	ReasonRebuild                  // the same table under another filter
)

// String is the reason as logs print it.
func (r Reason) String() string {
	switch r {
	case ReasonFlush:
		return "flush"
	case ReasonRecovery:
		return "recovery"
	case ReasonCompaction:
		return "compaction"
	case ReasonRebuild:
		return "rebuild"
	}
	return "unknown"
}
