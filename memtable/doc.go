// Package memtable holds the entries that are not yet in a table file: an ordered map in memory, from user key to
// that key's versions, newest first.
//
// It is made of three parts. The entries lie in an arena, chunks of bytes that are only appended to; an entry never
// changes and never moves, so a reader keeps a view of a value, without a lock, until the table is released. A tree
// over the arena has for each user key eight bytes of the key, its head, and the arena reference of its newest version
// (tree.go). Its leaves lie in the arena, too, and a B-tree (github.com/google/btree) has one separator for each of
// them, without pointers. So the garbage collector has nothing to follow, and next to nothing to count, and most
// comparisons do not touch the key. A filter over the user keys (bloom.Growing) answers most searches for absent ones
// without the tree.
//
// Which eight bytes of a key are its head depends on the prefix that the keys share (head.go). A table has that of the
// one before it, and looks again when it has some keys of its own.
//
// A Pool makes the tables of a store (pool.go). Its arenas are outside the Go heap where the system allows that,
// and a table that is released leaves them to the next. So somebody must know when nobody looks at a table any more;
// builds with the race detector overwrite what was released.
//
// Locks: tree.mu, read by a search until it has found its leaf and by the refill of an iterator's window, striped so that
// these do not disturb each other, and written when the first leaf is made, when one is divided, when the keys get other
// heads, and by Release; after it a leaf's lock (lock.go), read while the leaf is looked into, written for each change in
// it; or the lock of the last probe, by a search of the B-tree that finds all others taken. Where to add, Add finds out
// without the first two: it is the only one who changes anything. Pool.mu, for the list of free memory, and while a chunk
// is asked of the system or given back; whoever takes it holds none of the others. No caller's code runs under any of
// them.
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
//	8        link to one much older (chain.go)
//	4        number of older versions
//
// A leaf in the arena:
//
//	bytes    field
//	8        reference of the next leaf; 0: this is the last
//	8        reference of the leaf before; 0: this is the first
//	8        number of keys
//	8*126    heads, ascending
//	8*126    references of newest versions, in the order of the keys
package memtable
