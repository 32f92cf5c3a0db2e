package commit

import (
	"encoding/binary"
	"math/bits"

	"siftdb/internal/key"
)

// Write is one write. Its bytes are borrowed: whoever hands out a Write says how long they live.
type Write struct {
	Kind  key.Kind
	Key   []byte
	Value []byte // nil for a deletion
}

// AppendWrite appends the form of a write to dst; a deletion has no value.
func AppendWrite(dst []byte, kind key.Kind, user, value []byte) []byte {
	dst = append(dst, byte(kind))
	dst = binary.AppendUvarint(dst, uint64(len(user)))
	dst = append(dst, user...)
	if kind == key.KindSet {
		dst = binary.AppendUvarint(dst, uint64(len(value)))
		dst = append(dst, value...)
	}
	return dst
}

// WriteSize is the length in bytes of what AppendWrite appends.
func WriteSize(kind key.Kind, user, value []byte) int64 {
	size := 1 + prefixedSize(user)
	if kind == key.KindSet {
		size += prefixedSize(value)
	}
	return size
}

// prefixedSize is the length of b after its own length as a uvarint, which has 7 bits of it in each byte.
func prefixedSize(b []byte) int64 { return int64((bits.Len(uint(len(b))|1)+6)/7) + int64(len(b)) }

// CutWrite reads the first write in b and says how many bytes it takes; 0 when b does not begin with a whole one. The
// write points into b.
func CutWrite(b []byte) (Write, int) {
	if len(b) == 0 || !key.Kind(b[0]).Valid() {
		return Write{}, 0
	}
	w := Write{Kind: key.Kind(b[0])}
	var at int
	if w.Key, at = cutPrefixed(b, 1); at == 0 {
		return Write{}, 0
	}
	if w.Kind == key.KindSet {
		if w.Value, at = cutPrefixed(b, at); at == 0 {
			return Write{}, 0
		}
	}
	return w, at
}

// cutPrefixed reads a length and as many bytes at b[at:], and says where they end; 0 when they are not there.
func cutPrefixed(b []byte, at int) ([]byte, int) {
	size, n := binary.Uvarint(b[at:])
	if n <= 0 || size > uint64(len(b)-at-n) {
		return nil, 0
	}
	start := at + n
	end := start + int(size)
	return b[start:end:end], end
}
