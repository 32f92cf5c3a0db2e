// Package commit holds the form of writes in the log: one write, and the group of them that was committed as one.
//
// It refuses to know when writes are grouped, what the log puts around a group (package wal), and what becomes of the
// writes. On the write walk it stands between db, which queues writes in this form and makes a group of them, and wal;
// recovery and dumps read groups back. Batches hold the same form of a write.
//
// # Format
//
// Integers of fixed width are little-endian; a uvarint is that of encoding/binary.
//
//	bytes    write
//	1        kind: 0 deletion, 1 set
//	uvarint  length of the key
//	n        key
//	uvarint  length of the value  only in a set
//	n        value                only in a set
//
//	bytes    group
//	8        sequence number of its first write; each takes the next one
//	n        its writes, one after the other, up to the group's end
//
// The length of a group, and a checksum over it, are in the record around it.
package commit
