package cmd

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"

	"siftdb/db"
)

// commitGroup is a group of writes as package db has it in the log: the sequence number of the first, 8 bytes
// little-endian, then each write: its kind, the length of the key as a uvarint, the key and, for a put, the length of
// the value as a uvarint, and the value. Each write takes the next sequence number.
type commitGroup struct {
	first  uint64
	count  int
	writes []byte
}

// parseGroup checks a group. It keeps b.
func parseGroup(b []byte) (commitGroup, error) {
	if len(b) < 8 {
		return commitGroup{}, fmt.Errorf("a commit group of %d bytes has no sequence number", len(b))
	}
	g := commitGroup{first: binary.LittleEndian.Uint64(b), writes: b[8:]}
	for rest := g.writes; len(rest) > 0; g.count++ {
		var err error
		if _, rest, err = cutOp(rest); err != nil {
			return commitGroup{}, fmt.Errorf("write %d of a commit group: %w", g.count+1, err)
		}
	}
	return g, nil
}

// ops gives the writes of a group that was checked. They point into it.
func (g commitGroup) ops() iter.Seq[db.Op] {
	return func(yield func(db.Op) bool) {
		for rest := g.writes; len(rest) > 0; {
			op, after, err := cutOp(rest)
			if err != nil || !yield(op) {
				return
			}
			rest = after
		}
	}
}

// cutOp takes the first write off b.
func cutOp(b []byte) (op db.Op, rest []byte, err error) {
	op.Kind = db.OpKind(b[0])
	if op.Kind != db.OpPut && op.Kind != db.OpDelete {
		return op, nil, fmt.Errorf("kind %d is unknown", b[0])
	}
	if op.Key, rest, err = cutBytes(b[1:]); err != nil || op.Kind == db.OpDelete {
		return op, rest, err
	}
	op.Value, rest, err = cutBytes(rest)
	return op, rest, err
}

// cutBytes takes a length, and as many bytes, off b.
func cutBytes(b []byte) (bytes, rest []byte, err error) {
	length, n := binary.Uvarint(b)
	if n <= 0 || length > uint64(len(b)-n) {
		return nil, nil, errors.New("it is cut short")
	}
	return b[n : n+int(length)], b[n+int(length):], nil
}
