package manifest

import (
	"bytes"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"siftdb/internal/key"
)

// Table describes one table file. A Table is not changed once it stands in a Version or an Edit: versions share
// them, and any goroutine may read them. The key bytes belong to the Table.
type Table struct {
	// Number names the file: TableName(Number). No two tables of a store's life share one.
	Number uint64
	// Size is the file's length in bytes; TailSize that of its last part, which opening reads in one go.
	Size, TailSize int64
	// Smallest and Largest are the table's first and last internal keys, both in it.
	Smallest, Largest key.Key
	// SmallestSeq and LargestSeq bound the sequence numbers of the entries, both included.
	SmallestSeq, LargestSeq key.Seq
	// Entries counts all entries, Keys the distinct user keys, Deletions the entries that are deletions.
	Entries, Keys, Deletions uint64
	// RawBytes is the length of all keys and values before prefixes are shared and blocks compressed.
	RawBytes uint64
	// FilterBits is the size of the filter's payload in bits; 0: no filter.
	FilterBits uint64
	// FilterPolicy is what was asked for when the table was built, by its String, "none" among them.
	FilterPolicy string
	// FilterFamily names the kind of the filter, empty without one; AskedBits is the bits per key that were asked
	// for when it was built, FilterRate the rate of false positives that theory gives for it.
	FilterFamily          string
	AskedBits, FilterRate float64
	// FilterPlanes is the number of planes that the filter is stored in, each FilterBits / FilterPlanes bits; 1 for one
	// that is not divided, 0 without a filter.
	FilterPlanes int
	// Origin is the work that wrote the table.
	Origin Origin
}

// Origin says which work wrote a table. The numbers are part of the format.
type Origin uint8

const (
	// OriginFlush is a memtable written out while the store runs.
	OriginFlush Origin = 1
	// OriginRecovery is a log replayed while the store opens, or a table found by a repair that nobody knew more of.
	OriginRecovery Origin = 2
	// OriginCompaction is a merge of other tables.
	OriginCompaction Origin = 3
	// OriginRebuild is a copy of another table under another filter.
	OriginRebuild Origin = 4
)

// String is the origin's name.
func (o Origin) String() string {
	switch o {
	case OriginFlush:
		return "flush"
	case OriginRecovery:
		return "recovery"
	case OriginCompaction:
		return "compaction"
	case OriginRebuild:
		return "rebuild"
	}
	return fmt.Sprintf("origin(%d)", uint8(o))
}

// Contains reports whether user lies within the table's bounds.
func (t *Table) Contains(user []byte) bool {
	return bytes.Compare(user, t.Smallest.User) >= 0 && bytes.Compare(user, t.Largest.User) <= 0
}

// Overlaps reports whether the table's bounds share a user key with lower..upper, both included. Nil means no
// bound; an empty, non-nil upper is the empty key.
func (t *Table) Overlaps(lower, upper []byte) bool {
	return (upper == nil || bytes.Compare(t.Smallest.User, upper) <= 0) &&
		(lower == nil || bytes.Compare(t.Largest.User, lower) >= 0)
}

// Equal reports whether t and other say the same of a table.
func (t *Table) Equal(other *Table) bool {
	if key.Compare(t.Smallest, other.Smallest) != 0 || key.Compare(t.Largest, other.Largest) != 0 {
		return false
	}
	a, b := *t, *other
	// Nil or empty is the same key.
	a.Smallest, a.Largest, b.Smallest, b.Largest = key.Key{}, key.Key{}, key.Key{}, key.Key{}
	return reflect.DeepEqual(a, b)
}

// String is the table in a picture of a version: 000012[a..f].
func (t *Table) String() string {
	return fmt.Sprintf("%06d[%s..%s]", t.Number, printable(t.Smallest.User), printable(t.Largest.User))
}

// printable is a user key for people: as it is where that is readable, quoted where it is not.
func printable(user []byte) string {
	if q := strconv.Quote(string(user)); len(user) == 0 || len(q) != len(user)+2 || bytes.ContainsAny(user, " .[]") {
		return q
	}
	return string(user)
}

// tableSuffix ends the name of every table file.
const tableSuffix = ".sst"

// TableName is the name, within the store's directory, of the table file with that number.
func TableName(number uint64) string { return fmt.Sprintf("%06d%s", number, tableSuffix) }

// ParseTableName reads what TableName writes, and nothing else.
func ParseTableName(base string) (number uint64, ok bool) {
	digits, found := strings.CutSuffix(base, tableSuffix)
	if !found {
		return 0, false
	}
	number, err := strconv.ParseUint(digits, 10, 64)
	return number, err == nil && TableName(number) == base
}
