package db

import (
	"encoding/binary"
	"math/bits"
)

// The form of one write, in batches and in the log: kind, length of the key as a uvarint, the key and, for a put,
// length of the value and the value.

func appendOp(dst []byte, kind OpKind, key, value []byte) []byte {
	dst = append(dst, byte(kind))
	dst = binary.AppendUvarint(dst, uint64(len(key)))
	dst = append(dst, key...)
	if kind == OpPut {
		dst = binary.AppendUvarint(dst, uint64(len(value)))
		dst = append(dst, value...)
	}
	return dst
}

// opSize is the length of what appendOp appends.
func opSize(kind OpKind, key, value []byte) int64 {
	size := 1 + uvarintLen(len(key)) + int64(len(key))
	if kind == OpPut {
		size += uvarintLen(len(value)) + int64(len(value))
	}
	return size
}

// uvarintLen is the number of bytes of n as a uvarint, 7 bits in each.
func uvarintLen(n int) int64 { return int64(bits.Len64(uint64(n)|1)+6) / 7 }

// decodeOp reads the first write in b and says how many bytes it takes; 0 when b does not start with a whole
// one. The result points into b.
func decodeOp(b []byte) (Op, int) {
	if len(b) == 0 || OpKind(b[0]) > OpPut {
		return Op{}, 0
	}
	op := Op{Kind: OpKind(b[0])}
	key, at := decodeBytes(b, 1)
	if at == 0 {
		return Op{}, 0
	}
	op.Key = key
	if op.Kind == OpPut {
		if op.Value, at = decodeBytes(b, at); at == 0 {
			return Op{}, 0
		}
	}
	return op, at
}

// decodeBytes reads a length and as many bytes at b[at:], and says where they end; 0 when they are not there.
func decodeBytes(b []byte, at int) ([]byte, int) {
	size, n := binary.Uvarint(b[at:])
	if n <= 0 || size > uint64(len(b)-at-n) {
		return nil, 0
	}
	start := at + n
	end := start + int(size)
	return b[start:end:end], end
}
