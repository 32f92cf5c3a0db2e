package sstable

import "encoding/binary"

// uvarint reads one uvarint at b[at] and returns it with the position after it, or with -1 when b ends inside or
// it is longer than 64 bits. Most are one byte, which is read in line.
func uvarint(b []byte, at int) (uint64, int) {
	if uint(at) < uint(len(b)) && b[at] < 0x80 {
		return uint64(b[at]), at + 1
	}
	return longUvarint(b, at)
}

func longUvarint(b []byte, at int) (uint64, int) {
	if at < 0 || at > len(b) {
		return 0, -1
	}
	v, n := binary.Uvarint(b[at:])
	if n <= 0 {
		return 0, -1
	}
	return v, at + n
}

// uvarintLen is the number of bytes of v as a uvarint.
func uvarintLen(v uint64) int {
	n := 1
	for ; v >= 0x80; v >>= 7 {
		n++
	}
	return n
}

// lengthPrefixed reads a uvarint length and that many bytes at b[at], and returns a view of them and the position
// after them, or -1 when b ends inside.
func lengthPrefixed(b []byte, at int) ([]byte, int) {
	n, at := uvarint(b, at)
	if at < 0 || n > uint64(len(b)-at) {
		return nil, -1
	}
	end := at + int(n)
	return b[at:end:end], end
}
