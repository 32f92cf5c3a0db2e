package key

import "encoding/binary"

// Head is the first 8 bytes of a user key, or of a part of one, as a big-endian number; where b is shorter, zeros
// stand in. Of two keys with different heads the one with the smaller is the smaller; equal heads say nothing. So most
// comparisons of a search need two integers and no memory.
func Head(b []byte) uint64 {
	if len(b) >= 8 {
		return binary.BigEndian.Uint64(b)
	}
	var n uint64
	for i, c := range b {
		n |= uint64(c) << (56 - 8*i)
	}
	return n
}
