package bloom

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"slices"
)

const (
	// maxBitsPerKey is the most a policy may ask for. Far beyond any use: at 64 bits a false positive is rarer than
	// a broken disk.
	maxBitsPerKey = 64
	// maxBits bounds one filter: 128 GiB, or what a slice can hold where that is less.
	maxBits = min(1<<40, (math.MaxInt-headerSize)/wordBytes*wordBits)
	// maxKeys is the most keys a table's filter can have: up to here a float64 counts exactly.
	maxKeys = 1 << 53

	wordBytes = 8
	wordBits  = 64
)

// checkSize refuses a filter of more than maxBits bits. A smaller one would break its promise without a word.
func checkSize(bits float64) error {
	if !(bits <= maxBits) {
		return &ParameterError{Name: "filter size in bits", Value: bits,
			Allowed: "up to 2^40, or 2^34 on 32-bit machines"}
	}
	return nil
}

// appendFilter appends header and payload: the words in little-endian order, so that bit p of the filter is bit p mod 8
// of the payload's byte p div 8. It fills in the header's length and checksum.
func appendFilter(dst []byte, h Header, words []uint64) []byte {
	start := len(dst)
	dst = slices.Grow(dst, headerSize+len(words)*wordBytes)[:start+headerSize]
	for _, w := range words {
		dst = binary.LittleEndian.AppendUint64(dst, w)
	}
	h.seal(dst[start:])
	return dst
}

// appendPayload is appendFilter for a payload that is bytes already.
func appendPayload(dst []byte, h Header, payload []byte) []byte {
	start := len(dst)
	dst = slices.Grow(dst, headerSize+len(payload))[:start+headerSize]
	dst = append(dst, payload...)
	h.seal(dst[start:])
	return dst
}

// seal puts the header before the payload, with its length and checksum. b is both.
func (h *Header) seal(b []byte) {
	payload := b[headerSize:]
	h.PayloadBytes = uint64(len(payload))
	h.PayloadChecksum = crc32.Checksum(payload, castagnoli)
	h.put(b)
}

// checkPayload verifies a payload that is covered by the header's one checksum.
func checkPayload(h *Header, payload []byte) error {
	if got := crc32.Checksum(payload, castagnoli); got != h.PayloadChecksum {
		return damaged(headerSize, "payload checksum is %08x, stored is %08x", got, h.PayloadChecksum)
	}
	return nil
}

// decodeWords is the inverse of appendFilter's loop; the payload is whole words.
func decodeWords(payload []byte) []uint64 {
	words := make([]uint64, len(payload)/wordBytes)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(payload[i*wordBytes:])
	}
	return words
}
