// Package wal holds the log that makes writes durable before they are in a table: segments of commit groups, a
// writer that shares one sync among all who wait for it, and the replay of segments after a crash.
//
// It refuses to know what a group's bytes mean, which segments are still needed (the manifest and package db do),
// and when a segment is full. It never deletes a segment and never writes to one it did not create itself.
//
// It is the first station of the write walk: db hands each commit group to Append or AppendSync, then puts it
// into the memtable; db's recovery hands replayed groups to the memtable the same way.
//
// # Format
//
// A segment is a file %06d.wal: a header, then records of package record (13 bytes of header, with checksums that
// cover the segment's number and the record's offset; then the payload). Numbers are little-endian.
//
//	bytes  field of the segment's header
//	0-7    "siftdbWL"
//	8-11   format, 1
//	12-19  number of the segment
//	20-27  number of the segment before it in the same log; 0 for the first that a process makes
//	28-35  number of the last manifest edit before it
//	36-39  CRC-32C of bytes 0-35
//
//	kind   record      payload
//	1      group       synced-to (8 bytes), then the bytes of one commit group
//	2      end         synced-to (8 bytes), then the number of the next segment (8 bytes), or nothing
//
// Synced-to is the offset in the segment up to which everything was known to be durable when the record was made.
// That is what tells damage from a crash: where a record is bad and a later one is sound, the bad one was lost by
// a power cut if it was never synced, and is damage if the later one says that it had been.
//
// The end record is made when all before it is durable, so its synced-to is its own offset. A segment gets it,
// and is synced again, before anything is written to the next one; only the newest segment, and segments without
// records after it, can be without one. It names the segment that was made after this one, so that the loss of the
// newest segments stands out; where the log was closed it names none.
//
// The previous segment's number makes a segment in the middle that is missing stand out, although the numbers
// have gaps, and tells it from one whose making failed halfway and which nothing was ever written to.
package wal
