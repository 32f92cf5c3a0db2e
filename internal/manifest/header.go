package manifest

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"

	"siftdb/internal/corrupt"
)

const (
	headerMagic  = "siftmani"
	headerFormat = 1
	headerSize   = 32
	formatOffset = 8  // where the format number is
	headerSum    = 28 // where the checksum of what stands before it is
)

// namePrefix begins the name of every manifest.
const namePrefix = "MANIFEST-"

// castagnoli is the polynomial of every checksum in the store; processors have an instruction for it.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// Name is the name, within the store's directory, of the manifest with that number.
func Name(number uint64) string { return fmt.Sprintf("%s%06d", namePrefix, number) }

// ParseName reads what Name writes, and nothing else.
func ParseName(base string) (number uint64, ok bool) {
	digits, found := strings.CutPrefix(base, namePrefix)
	if !found {
		return 0, false
	}
	number, err := strconv.ParseUint(digits, 10, 64)
	return number, err == nil && Name(number) == base
}

// recordFile is what the records of a manifest are bound to. The bit keeps apart the records of a manifest and
// those of another kind of file that has the same number.
func recordFile(number uint64) uint64 { return number | 1<<63 }

func appendHeader(dst []byte, number uint64) []byte {
	start := len(dst)
	dst = append(dst, headerMagic...)
	dst = binary.LittleEndian.AppendUint32(dst, headerFormat)
	dst = binary.LittleEndian.AppendUint32(dst, 0)
	dst = binary.LittleEndian.AppendUint64(dst, number)
	dst = binary.LittleEndian.AppendUint32(dst, 0)
	return binary.LittleEndian.AppendUint32(dst, checksum(dst[start:]))
}

// checkHeader holds the first bytes of a manifest against its number. The error is a *corrupt.Error.
func checkHeader(name string, b []byte, number uint64) error {
	switch {
	case len(b) < headerSize:
		return corrupt.New(name, 0, "the header of %d bytes is cut to %d", headerSize, len(b))
	case string(b[:8]) != headerMagic:
		return corrupt.New(name, 0, "magic %q expected, %q found", headerMagic, b[:8])
	case binary.LittleEndian.Uint32(b[headerSum:]) != checksum(b[:headerSum]):
		return corrupt.New(name, headerSum, "the header does not match its checksum")
	case binary.LittleEndian.Uint32(b[formatOffset:]) != headerFormat:
		return corrupt.New(name, formatOffset, "format %d expected, %d found",
			headerFormat, binary.LittleEndian.Uint32(b[formatOffset:]))
	case binary.LittleEndian.Uint64(b[16:]) != number:
		return corrupt.New(name, 16, "number %d expected, %d found", number, binary.LittleEndian.Uint64(b[16:]))
	}
	return nil
}
