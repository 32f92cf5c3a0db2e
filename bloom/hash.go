package bloom

import (
	"encoding/binary"
	"math/bits"

	"github.com/spaolacci/murmur3"
)

// Hash is what every filter sees of a key: the two halves of MurmurHash3 x64-128 with seed 0 (Appleby, 2011). It is
// a value; a read makes it once and asks all tables with it.
type Hash struct{ H1, H2 uint64 }

// hashMurmur3 names the hash in headers. Another hash gets another number: a filter made with one is never asked
// with the other.
const hashMurmur3 = 1

// Sum hashes a user key: its bytes as they are, no sequence number, no normal form of text. The key is not kept.
// Any goroutine may call it; on little-endian machines it does not allocate.
func Sum(key []byte) Hash {
	if !nativeIsLittleEndian() {
		key = swapWords(key)
	}
	h1, h2 := murmur3.Sum128(key)
	return Hash{h1, h2}
}

func nativeIsLittleEndian() bool {
	return binary.NativeEndian.Uint16([]byte{1, 0}) == 1
}

// swapWords returns a copy of key in which each 8-byte word of its whole 16-byte blocks is turned round. The library
// reads those blocks in the machine's byte order, and only those; the hash of a key must be the same on all machines,
// since filters move between them.
func swapWords(key []byte) []byte {
	swapped := append([]byte(nil), key...)
	for word := swapped[:len(key)&^15]; len(word) > 0; word = word[8:] {
		binary.LittleEndian.PutUint64(word, bits.ReverseBytes64(binary.LittleEndian.Uint64(word)))
	}
	return swapped
}
