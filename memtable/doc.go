// Package memtable holds the entries that are not yet in a table file: an ordered map in memory, from user key to
// that key's versions, newest first.
//
// It is made of three parts. The entries lie in an arena, chunks of bytes that are only appended to; an entry
// never changes and never moves, so a reader keeps a view of a value, without a lock, until the table is released.
// A B-tree (github.com/google/btree) over the arena holds one item per user key, 16 bytes without pointers: eight
// bytes of the key and the arena reference of its newest version. So the garbage collector has nothing to follow,
// and most comparisons do not touch the key. A filter over the user keys (bloom.Growing) answers most searches for
// absent ones without the tree.
//
// Which eight bytes of a key are in its item depends on the prefix that the keys share (head.go). A table has that
// of the one before it, and looks again when it has some keys of its own.
//
// A Pool makes the tables of a store (pool.go). Its arenas are outside the Go heap where the system allows that,
// and a table that is released leaves them, and the nodes of its tree, to the next. So somebody must know when
// nobody looks at a table any more; builds with the race detector overwrite what was released.
//
// Locks: Table.mu (lock.go), read by a search or the refill of an iterator's window, written by Add, in both cases for
// the tree operation alone, and by what puts another tree in place or empties it. Pool.mu, for lists of free memory,
// and while a chunk is asked of the system or given back. Whoever takes one holds not the other, and no caller's
// code runs under them.
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
