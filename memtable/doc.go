// Package memtable holds the entries that are not yet in a table file: an ordered map in memory, from user key to
// that key's versions, newest first.
//
// It is made of three parts. The entries lie in an arena, chunks of bytes that are only appended to; an entry never
// changes and never moves, so a reader keeps a view of a value for as long as it likes, without a lock. A B-tree
// (github.com/google/btree) over the arena holds one item per user key, 16 bytes without pointers: eight bytes of
// the key and the arena reference of its newest version. So the garbage collector has nothing to follow, and most
// comparisons do not touch the key. A filter over the user keys (bloom.Growing) answers most searches for absent ones
// without the tree.
//
// Locks: Table.mu, read by a search or the refill of an iterator's window, written by Add, in both cases for the
// tree operation alone. No caller's code runs under it.
//
// The package knows nothing of commits, logs and files: sequence numbers and visibility are given to it, and when it
// is full and what happens then is for others to say. It stands on the write walk after the log, on the read walk
// before the tables, and is the input of a flush.
//
// An entry in the arena (in memory only; little-endian):
//
//	bytes    field
//	8        trailer: sequence number << 8 | kind
//	4        value length; the top bit says that links follow the value
//	2        key length
//	n        key
//	n        value
//	8        link to the next older version      only in entries that have an older version,
//	8        link to one much older (chain.go)   which is known last, when the tree has been asked
//	4        number of older versions
package memtable
