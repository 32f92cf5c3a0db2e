// Package record holds checksummed records in a file: how one is encoded, and a reader that tells a sound record
// from anything else. The log (package wal) and the manifest (internal/manifest) are files of such records.
//
// It refuses to know what a payload means, what a kind stands for, what comes before the first record of a file,
// and what a bad record is worth: a torn tail to one caller is corruption to another.
//
// It stands on the write walk below wal, and below internal/manifest on all three.
//
// # Format
//
// Numbers are little-endian. A record that stands at offset o of the file with number n:
//
//	bytes  field
//	0-3    CRC-32C of bytes 4-12, then n (8 bytes), then o (8 bytes)
//	4-7    length of the payload
//	8      kind, never 0
//	9-12   CRC-32C of the payload
//	13-    payload
//
// Records follow each other without gaps or padding. Since n and o are under the checksum, neither old bytes of
// another file nor a copy of a record further down the same file are a record there. Since the length is under a
// checksum of its own, it is believed before the payload is read.
package record
