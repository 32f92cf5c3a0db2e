package memtable

import "bytes"

// item stands in the tree for a user key. It has no pointers, so that the collector does not look into the tree's
// nodes.
type item struct {
	// head is an extract of the user key: keys with different heads are ordered as their heads are, and only for
	// equal ones must the keys themselves be fetched from the arena.
	head uint64
	// newest is the newest version of the key, or a probe.
	newest ref
}

// itemOf is the item for a user key that r stands for. t.mu is held, or the caller is the adder.
func (t *Table) itemOf(user []byte, r ref) item { return item{t.heads.of(user), r} }

// less orders the items of t by their user keys.
func (t *Table) less(a, b item) bool {
	if a.head != b.head {
		return a.head < b.head
	}
	return bytes.Compare(t.userOf(a.newest), t.userOf(b.newest)) < 0
}

// userOf is the user key that r stands for.
func (t *Table) userOf(r ref) []byte {
	if r&probeBit != 0 {
		return t.probes.user(r)
	}
	return t.arena.at(r).user()
}
