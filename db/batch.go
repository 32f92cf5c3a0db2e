package db

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"iter"
	"math"

	"siftdb/internal/commit"
	"siftdb/internal/corrupt"
	"siftdb/internal/key"
)

// Batch collects writes that Apply carries out as one: all or nothing, and later ones win over earlier ones. The
// zero value is an empty batch, ready to use. It belongs to no store: it may be built before one is opened,
// after it is closed, and applied to several. One goroutine at a time.
type Batch struct {
	ops      []byte // the operations, as commit.AppendWrite makes them
	count    int
	size     int64 // of ops, also of what was left out because it was too large
	maxKey   int
	maxValue int
}

// OpKind says what an Op does.
type OpKind uint8

const (
	// OpDelete removes a key.
	OpDelete = OpKind(key.KindDelete)
	// OpPut gives a key a value.
	OpPut = OpKind(key.KindSet)
)

// Op is one write of a batch.
type Op struct {
	Kind  OpKind
	Key   []byte
	Value []byte // nil for OpDelete
}

// Put gives key a value; nil is the empty value. Both are copied. Whether they are too large, Apply says.
func (b *Batch) Put(key, value []byte) { b.add(OpPut, key, value) }

// Delete removes key, which is copied. The key need not be there.
func (b *Batch) Delete(key []byte) { b.add(OpDelete, key, nil) }

func (b *Batch) add(kind OpKind, user, value []byte) {
	b.count++
	b.size += commit.WriteSize(key.Kind(kind), user, value)
	b.maxKey = max(b.maxKey, len(user))
	b.maxValue = max(b.maxValue, len(value))
	if b.check() == nil { // what Apply will refuse need not fill memory
		b.ops = commit.AppendWrite(b.ops, key.Kind(kind), user, value)
	}
}

// check says whether the batch is within the limits.
func (b *Batch) check() error {
	if err := checkOp(b.maxKey, b.maxValue); err != nil {
		return err
	}
	return checkBatch(b.size)
}

// Len is the number of operations.
func (b *Batch) Len() int { return b.count }

// Size is the number of bytes that the operations take in the log, about the bytes of their keys and values.
// It may not pass MaxBatchSize when the batch is applied. Where an int does not hold the number, it is the largest
// int.
func (b *Batch) Size() int { return int(min(b.size, math.MaxInt)) }

// Reset empties the batch and keeps its memory.
func (b *Batch) Reset() { *b = Batch{ops: b.ops[:0]} }

// Ops runs over the operations in the order they were added. Keys and values point into the batch: they are
// valid until the next Reset or UnmarshalBinary and must not be changed.
func (b *Batch) Ops() iter.Seq[Op] {
	return func(yield func(Op) bool) {
		for rest := b.ops; len(rest) > 0; {
			w, n := commit.CutWrite(rest)
			if !yield(Op{Kind: OpKind(w.Kind), Key: w.Key, Value: w.Value}) {
				return
			}
			rest = rest[n:]
		}
	}
}

// The binary form: the operations behind a format byte and their number, before a checksum.
const batchFormat = 1

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// AppendBinary appends the batch's binary form to dst. A batch over a limit is ErrTooLarge.
func (b *Batch) AppendBinary(dst []byte) ([]byte, error) {
	if err := b.check(); err != nil {
		return dst, err
	}
	start := len(dst)
	dst = append(dst, batchFormat)
	dst = binary.AppendUvarint(dst, uint64(b.count))
	dst = append(dst, b.ops...)
	return binary.LittleEndian.AppendUint32(dst, crc32.Checksum(dst[start:], castagnoli)), nil
}

// UnmarshalBinary makes b the batch that p is the binary form of. It copies p. Bytes that AppendBinary did not
// write give a *CorruptionError whose File is "batch", and leave b as it was.
func (b *Batch) UnmarshalBinary(p []byte) error {
	bad := func(offset int, reason string) error { return corrupt.New("batch", int64(offset), "%s", reason) }
	if len(p) < 6 {
		return bad(0, "shorter than an empty batch")
	}
	body, sum := p[:len(p)-4], binary.LittleEndian.Uint32(p[len(p)-4:])
	if crc32.Checksum(body, castagnoli) != sum {
		return bad(len(body), "checksum does not match")
	}
	if body[0] != batchFormat {
		return bad(0, "unknown format")
	}
	count, n := binary.Uvarint(body[1:])
	if n <= 0 {
		return bad(1, "number of operations is not a varint")
	}
	var fresh Batch
	for at := 1 + n; at < len(body); {
		w, n := commit.CutWrite(body[at:])
		if n == 0 {
			return bad(at, "not an operation")
		}
		fresh.add(OpKind(w.Kind), w.Key, w.Value)
		at += n
	}
	if uint64(fresh.count) != count {
		return bad(1, "number of operations does not match")
	}
	if err := fresh.check(); err != nil {
		return err
	}
	if len(binary.AppendUvarint(nil, count)) != n || !bytes.Equal(fresh.ops, body[1+n:]) {
		return bad(1, "a number is longer than it need be")
	}
	*b = fresh
	return nil
}
