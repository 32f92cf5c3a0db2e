// Package manifest knows which tables a store consists of, and keeps that knowledge on disk.
//
// It holds three things. Table, Version and Edit are values in memory: what is known of a table, an immutable set
// of tables by level, and a step from one set to the next. Candidates is the version's part in a point read: the
// tables whose bounds hold a key, newest data first. Store is the file: a log of edits with a snapshot at its head,
// and the pointer CURRENT that names it.
//
// It refuses to know what stands inside a table or a log, which tables are open, and why an edit is made; it holds
// no table files and deletes none. On the write and the compaction walk it is the last step before the new view;
// on the read walk it stands between the memtables and the filters.
//
// # Files
//
// All integers are little-endian; uvarint is the variable-length form of encoding/binary.
//
// MANIFEST-%06d is a file header and then records of package record. Manifests have a sequence of numbers of their
// own. The number that the records are bound to is the manifest's number with the highest bit set, so that no
// record of another kind of file with the same number is valid here.
//
//	offset  size  file header
//	     0     8  magic "siftmani"
//	     8     4  format, 1
//	    12     4  0
//	    16     8  number of this manifest, as in its name
//	    24     4  0
//	    28     4  CRC-32C of bytes 0 to 27
//	    32        records
//
//	kind  record
//	   1  snapshot: the whole state; the first record, and only the first
//	   2  edit: one step
//	   3  seal: nothing new; it follows each edit once that is durable
//
//	size     payload of every kind
//	8        synced: all bytes of the file before this offset were durable when the record was made
//
//	size     payload of snapshot and edit, after that
//	8        edit number: in a snapshot that of the last edit in it, in an edit one more than before
//	8        next file: larger than every file number given out
//	8        last sequence number in the tables
//	8        number of the oldest log that is needed; 0: all logs that are there
//	uvarint  number of removals (0 in a snapshot), then for each:
//	1          level
//	uvarint    table number
//	uvarint  number of additions, then for each:
//	1          level
//	uvarint    table number
//	uvarint    size of the file in bytes
//	uvarint    size of its tail in bytes
//	uvarint    length of the smallest internal key, then the key as key.Append writes it
//	uvarint    length of the largest internal key, then the key
//	uvarint    smallest sequence number
//	uvarint    largest sequence number
//	uvarint    entries
//	uvarint    distinct user keys
//	uvarint    deletions
//	uvarint    raw bytes of keys and values
//	uvarint    bits of the filter
//	uvarint    length of the policy under which the filter was built, then the policy as text
//	uvarint    length of the name of the filter's family, then the name
//	1          planes of the filter
//	8          bits per key asked for, IEEE 754
//	8          rate of false positives by theory, IEEE 754
//	1          origin
//
// CURRENT is one line that names the manifest and checks itself, the CRC-32C being that of the name:
//
//	MANIFEST-000001 crc32c=7ed3298a
//
// # Order of operations
//
// An edit is durable when Apply returns: its record is written and synced; the seal after it is written, but not
// synced. A new manifest is written with its snapshot and synced, then CURRENT is written beside, synced, renamed,
// and the directory synced; only then are older manifests removed. A file whose write or sync failed is never
// written to again: the next edit goes into a new manifest.
//
// # What loading makes of damage
//
// The seal tells a flipped bit from a torn write. A bad record after which some record says that more was durable
// is corruption. A bad record without such a witness was being written when the power went: it was never
// acknowledged, and it is left out and reported. The snapshot was durable before CURRENT named the file, so
// damage to it, to the header or to CURRENT is always corruption. A manifest cut exactly between two records looks
// whole; the edit number is there for the caller to compare with what the logs say.
package manifest
