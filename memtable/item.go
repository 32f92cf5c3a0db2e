package memtable

import (
	"bytes"
	"encoding/binary"
)

// item stands in the tree for a user key. It has no pointers, so that the collector does not look into the tree's
// nodes.
type item struct {
	// head are the first eight bytes of the user key as a big-endian number, zeros after a shorter key. Keys with
	// different heads are ordered as their heads are, keys with equal ones need a look at the keys.
	head uint64
	// newest is the newest version of the key, or a probe.
	newest ref
}

// headOf is the head of an item for user.
func headOf(user []byte) uint64 {
	if len(user) >= 8 {
		return binary.BigEndian.Uint64(user)
	}
	var head uint64
	for i, b := range user {
		head |= uint64(b) << (56 - 8*i)
	}
	return head
}

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
