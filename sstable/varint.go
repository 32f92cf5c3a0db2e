package sstable

import (
	"encoding/binary"
	"math/bits"
)

// uvarint reads one uvarint at b[at] and returns it with the position after it, or with -1 when b ends inside or
// it is longer than 64 bits. A position that is -1 stays so: several reads in a row need one check.
func uvarint(b []byte, at int) (uint64, int) {
	if at < 0 || at > len(b) {
		return 0, -1
	}
	v, n := binary.Uvarint(b[at:])
	if n <= 0 {
		return 0, -1
	}
	return v, at + n
}

// shortUvarint decodes the uvarint at the start of the 8 bytes in w, the first one lowest, and its length; 0 when it
// is longer. It takes no branch for each byte.
func shortUvarint(w uint64) (uint64, int) {
	last := ^w & 0x8080808080808080
	if last == 0 {
		return 0, 0
	}
	n := bits.TrailingZeros64(last)/8 + 1
	w &= 0x7f7f7f7f7f7f7f7f & (1<<(8*n) - 1)
	w = w&0x007f007f007f007f | w&0x7f007f007f007f00>>1
	w = w&0x00003fff00003fff | w&0x3fff00003fff0000>>2
	return w&0x000000000fffffff | w&0x0fffffff00000000>>4, n
}

// uvarintLen is the number of bytes of v as a uvarint, 7 bits in each.
func uvarintLen(v uint64) int { return (bits.Len64(v|1) + 6) / 7 }

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
