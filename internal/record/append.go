package record

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
)

const (
	// HeaderSize is the number of bytes before a record's payload.
	HeaderSize = 13
	// MaxPayload is the largest payload in bytes.
	MaxPayload = math.MaxUint32
)

// placeSize is the bytes under the header's checksum that say where the record stands and are not stored.
const placeSize = 16

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Append appends to dst the record that will stand at the given offset of the file with the given number, and
// returns the extended slice. The payload is the parts put together; it is copied. It panics when kind is 0 or
// the payload larger than MaxPayload, which are the caller's to keep from happening.
func Append(dst []byte, file uint64, offset int64, kind uint8, payload ...[]byte) []byte {
	length := 0
	for _, part := range payload {
		length += len(part)
	}
	if kind == 0 || uint64(length) > MaxPayload {
		panic(fmt.Sprintf("record: kind %d with a payload of %d bytes", kind, length))
	}
	if need := HeaderSize + length + placeSize; cap(dst)-len(dst) < need {
		// Twice as large: left to append, a buffer of records would grow by quarters and leave five times
		// its size behind.
		dst = slices.Grow(dst, max(need, cap(dst)))
	}
	start := len(dst)
	dst = dst[:start+HeaderSize]
	for _, part := range payload {
		dst = append(dst, part...)
	}
	header := dst[start : start+HeaderSize]
	binary.LittleEndian.PutUint32(header[4:], uint32(length))
	header[8] = kind
	binary.LittleEndian.PutUint32(header[9:], crc32.Checksum(dst[start+HeaderSize:], castagnoli))
	// The place lies beyond the record for a moment only: an array of its own would be an allocation.
	place := appendPlace(dst, file, offset)[len(dst):]
	binary.LittleEndian.PutUint32(header, headerSum(header, place))
	return dst
}

func appendPlace(dst []byte, file uint64, offset int64) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, file)
	return binary.LittleEndian.AppendUint64(dst, uint64(offset))
}

// headerSum is the checksum of a header at a place.
func headerSum(header, place []byte) uint32 {
	return crc32.Update(crc32.Checksum(header[4:HeaderSize], castagnoli), castagnoli, place)
}
