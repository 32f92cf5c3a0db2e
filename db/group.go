package db

import (
	"encoding/binary"
	"fmt"

	"siftdb/internal/key"
	"siftdb/memtable"
)

// A commit group in the log: the sequence number of its first write as 8 bytes little-endian, then its writes as
// appendOp makes them; each takes the next sequence number.
const groupHeader = 8

// applyGroup adds the writes of a group, whose first has sequence number seq, to mem. It returns how many there
// were.
func applyGroup(mem *memtable.Table, seq key.Seq, ops []byte) int {
	count := 0
	for len(ops) > 0 {
		op, n := decodeOp(ops)
		mem.Add(key.Make(op.Key, seq+key.Seq(count), key.Kind(op.Kind)), op.Value)
		ops = ops[n:]
		count++
	}
	return count
}

// checkGroup looks through a group from the log: its first sequence number, its writes and how many they are.
// The log's checksum has been checked, so that a fault here is one of the program that wrote it.
func checkGroup(record []byte) (first key.Seq, ops []byte, count int, err error) {
	if len(record) < groupHeader {
		return 0, nil, 0, fmt.Errorf("commit group of %d bytes, shorter than its header", len(record))
	}
	first, ops = key.Seq(binary.LittleEndian.Uint64(record)), record[groupHeader:]
	for rest := ops; len(rest) > 0; {
		op, n := decodeOp(rest)
		if n == 0 {
			return 0, nil, 0, fmt.Errorf("commit group holds no write at its byte %d", len(record)-len(rest))
		}
		if len(op.Key) > MaxKeySize {
			return 0, nil, 0, fmt.Errorf("commit group holds a key of %d bytes", len(op.Key))
		}
		rest = rest[n:]
		count++
	}
	if first == 0 || first > key.MaxSeq-key.Seq(count) {
		return 0, nil, 0, fmt.Errorf("commit group has sequence number %d", first)
	}
	return first, ops, count, nil
}
