// Package sstable writes and reads table files: sorted, immutable runs of entries, with a filter.
//
// On the write walk it stands under flush and compaction, which feed a Writer; the Writer feeds a bloom builder.
// On the read walk it stands between db, which asks the filter and then the table, and the block cache. It
// refuses to know levels, versions, file names, and which filter a table should get: it is handed a builder, and
// what a filter is made of is known to package bloom alone.
//
// A Writer takes entries in order, or all blocks of another table: Add* or CopyBlocks, then Finish. A Reader
// answers Get for one key, walks with NewIter, and checks itself with Verify. Opening a table is one ReadAt of its
// tail, index, properties and footer, when the tail's size is known. A data block is one ReadAt of its exact
// length, with two exceptions: an Iter that goes from block to block reads ahead, up to 128 KiB at a time (ahead.go),
// and where ReaderOptions.ReadAround allows it, a block brings its neighbours into the system's file cache, unless the
// owner of the tables brings them all in (around.go). FillCache takes the blocks of what the owner reads so for the
// block cache (fill.go).
//
// What a Writer gathers, bytes for the next write and the hashes of keys (hashes.go), is outside the Go heap where the
// system allows that. The builder of the filter (filter_writer.go) borrows the hashes.
//
// The block cache gets blocks as they are stored, and is offered the content of those that it calls hot (load.go).
// What it has compressed, or not at all, a point read uncompresses into memory that its Access has until Release,
// and an Iter into memory of its own, one block over the other (memory.go): what they return lives no longer.
//
// The filter stands before the tail and is not read with it. A Reader loads it for whoever keeps filters: whole
// (filter.go), or its head, with as many planes as are wanted, and later further ones (planes.go).
//
// # Damage
//
// Every byte of a file is under a checksum. A damaged data block, index, properties block or footer is a
// *corrupt.Error with the file offset of the piece. A damaged or unknown filter is not an error of reading: loading
// it says why it cannot be used, and everything is found without it. Bytes with a right checksum and a wrong meaning
// are errors too; no bytes make a reader panic, or allocate more than in proportion to the size of the file.
//
// # The file
//
// The pieces follow one another without gaps. Integers of fixed width are little-endian; a uvarint is that of
// encoding/binary. Offsets and lengths have 64 bits.
//
//	data blocks | filter block | index block | properties block | footer
//
// Data, index and properties blocks are a content, stored raw or under snappy, and a trailer:
//
//	bytes  field
//	n      stored content
//	1      kind: 0 raw, 1 snappy
//	4      CRC-32C of stored content and kind, begun at offset ^ offset>>32 (its low 32 bits) in place of 0,
//	       where offset is that of the block in the file: a block in a wrong place does not check
//
// A block is stored under snappy if it gets smaller by more than an eighth, and raw otherwise.
//
// # Data block
//
// The content is entries in the order of key.Compare, then the restart points:
//
//	bytes  field
//	uvarint  shared: leading bytes of the user key that are those of the entry before; 0 at a restart point
//	uvarint  unshared: the user key's other bytes
//	uvarint  length of the value
//	uvarint  trailer of the key: sequence number << 8 | kind
//	unshared the rest of the user key
//	n        the value
//	...
//	4 each   restart points: positions of entries 0, 16, 32, ..., whose keys are whole
//	4        number of restart points, at least 1
//
// A block is ended before an entry that would make content and trailer larger than the block size, so only a
// block of a single entry is larger. Versions of one user key may go on from one block into the next.
//
// # Filter block
//
// The bytes that a bloom builder made, which carry their own header and checksums; of length 0 in a table without
// filter. Its keys are the table's distinct user keys, deleted ones included.
//
// # Index block
//
// The data blocks begin at offset 0 and follow one another, so their lengths place them. Between each two stands
// a separator: the shortest user key that is >= all user keys before it and < all after it; or, where versions of
// one key stand on both sides, that key.
//
//	bytes    field
//	uvarint  number of data blocks
//	uvarint  length of the prefix that all separators share
//	n        that prefix
//	for each data block:
//	uvarint  its length in the file, trailer included
//	for all but the last, also:
//	uvarint  length of the rest of the separator after it
//	n        that rest
//
// # Properties block
//
// Always stored raw. Fields in any order, each once; those with unknown tags are passed over:
//
//	bytes    field
//	1        tag
//	uvarint  length of the payload
//	n        payload
//
//	tag  payload
//	1    entries, uvarint
//	2    distinct user keys, uvarint
//	3    deletions, uvarint
//	4    smallest key: user key, then its trailer in 8 bytes; not in an empty table
//	5    largest key, likewise
//	6    smallest sequence number, uvarint
//	7    largest sequence number, uvarint
//	8    bytes of user keys, uncompressed, uvarint
//	9    bytes of values, uncompressed, uvarint
//	10   data blocks, uvarint
//	11   filter policy as asked for, text
//	12   filter family built, text; empty for none
//	13   bits per key asked for, uvarint of the bits of a float64
//	14   bits of the filter's payload, uvarint
//	15   CRC-32C of the first 60 bytes of the filter block, uvarint: ties the filter to this table
//	16   compression: 0 snappy, 1 none, uvarint
//	17   block size asked for, uvarint
//	18   numbers of the tables that a compaction made this one of, uvarints; not in other tables
//	19   which of the tables of that compaction it is, from 0 on, uvarint; likewise
//
// # Footer
//
//	offset  bytes  field
//	0       8      length of the data blocks together
//	8       8      length of the filter block
//	16      8      length of the index block, trailer included
//	24      8      length of the properties block, trailer included
//	32      4      format number: 1
//	36      4      CRC-32C of bytes 0 to 35, begun as a block's
//	40      8      magic: the bytes "siftable"
//
// The lengths and the footer's own 48 bytes add up to the size of the file.
package sstable
