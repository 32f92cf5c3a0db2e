package memtable

import "siftdb/bloom"

// A table's filter answers most searches for absent keys: 15 to 40 ns, without the tree's locks, where a search of a
// million keys takes about 1000. It is written before the tree. A reader that is entitled to an entry learned of it
// after its Add returned, so it finds all bits set; what another reader is told about an entry that is being added is
// true either way.

// filterRate is the share of absent keys that are searched for in the tree all the same. Fewer would save nanoseconds,
// and cost every key a bit for each halving.
const filterRate = 1.0 / 128

// The bytes of a table for each of its user keys, as Bytes counts: the guess while nothing is known, and the bounds of
// what a table before this one can make of it.
const (
	guessedBytesPerKey = 128
	fewestBytesPerKey  = 40
	mostBytesPerKey    = 1024
)

// newFilter is the filter of a table that nothing is known of but its size.
func newFilter(sizeHint int64) *bloom.Growing {
	return bloom.NewGrowing(keysIn(sizeHint, guessedBytesPerKey), filterRate)
}

// filterLike is the filter of a table with entries like those of t. It expects a quarter more keys for their bytes: to
// grow once costs more.
func filterLike(t *Table, sizeHint int64) *bloom.Growing {
	keys := t.tree.keys.Load()
	if keys == 0 {
		return newFilter(sizeHint)
	}
	perKey := t.Bytes() * 4 / 5 / keys
	return bloom.NewGrowing(keysIn(sizeHint, min(max(perKey, fewestBytesPerKey), mostBytesPerKey)), filterRate)
}

// keysIn is how many keys a table of so many bytes has, bounded so that a table of which nobody knows whether it will
// ever be full does not begin with more than 100 MiB of filter.
func keysIn(sizeHint, perKey int64) int {
	const most = 1 << 26
	return int(min(max(sizeHint, 0)/perKey, most))
}
