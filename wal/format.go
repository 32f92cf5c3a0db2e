package wal

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"

	"siftdb/internal/record"
)

const (
	magic  = "siftdbWL"
	format = 1
	// HeaderSize is the number of bytes before a segment's first record.
	HeaderSize = 40
	// formatOffset is where in the header the format number stands.
	formatOffset = 8

	kindGroup = 1
	kindEnd   = 2

	// syncedToSize is what every payload begins with.
	syncedToSize = 8
	// nextSize is what the end record of a segment that others follow has besides.
	nextSize = 8
	// MaxGroup is the largest commit group in bytes: 4 GiB and a few bytes less, more than an int may hold.
	MaxGroup = record.MaxPayload - syncedToSize

	suffix = ".wal"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Name is the file name of a segment, without a directory.
func Name(number uint64) string { return fmt.Sprintf("%06d%s", number, suffix) }

// ParseName is the inverse of Name; ok is false for every other name.
func ParseName(base string) (number uint64, ok bool) {
	digits, found := strings.CutSuffix(base, suffix)
	if !found {
		return 0, false
	}
	number, err := strconv.ParseUint(digits, 10, 64)
	return number, err == nil && Name(number) == base
}

// Header is what a segment says about itself.
type Header struct {
	Number uint64
	// Previous is the number of the segment before it in the same log, 0 for the first.
	Previous uint64
	// LastEdit is the number of the last manifest edit before the segment was made.
	LastEdit uint64
}

func (h Header) append(dst []byte) []byte {
	start := len(dst)
	dst = append(dst, magic...)
	dst = binary.LittleEndian.AppendUint32(dst, format)
	dst = binary.LittleEndian.AppendUint64(dst, h.Number)
	dst = binary.LittleEndian.AppendUint64(dst, h.Previous)
	dst = binary.LittleEndian.AppendUint64(dst, h.LastEdit)
	return binary.LittleEndian.AppendUint32(dst, crc32.Checksum(dst[start:], castagnoli))
}

// flaw says where in a file's beginning, and how, a header is not as it should be.
type flaw struct {
	offset int64
	reason string
	// torn is set when the bytes are not those of any header: a crash may have left them.
	torn bool
}

// parseHeader decodes the first bytes of the segment with the given number.
func parseHeader(b []byte, number uint64) (Header, *flaw) {
	switch {
	case len(b) < HeaderSize:
		return Header{}, &flaw{torn: true, reason: fmt.Sprintf("header cut short: %d of %d bytes", len(b), HeaderSize)}
	case binary.LittleEndian.Uint32(b[36:]) != crc32.Checksum(b[:36], castagnoli):
		return Header{}, &flaw{torn: true, reason: "header checksum does not match"}
	case string(b[:8]) != magic:
		return Header{}, &flaw{reason: fmt.Sprintf("this is no log segment: it begins with %q", b[:8])}
	case binary.LittleEndian.Uint32(b[formatOffset:]) != format:
		return Header{}, &flaw{offset: formatOffset, reason: fmt.Sprintf(
			"format %d, this program knows %d", binary.LittleEndian.Uint32(b[formatOffset:]), format)}
	}
	h := Header{
		Number:   binary.LittleEndian.Uint64(b[12:]),
		Previous: binary.LittleEndian.Uint64(b[20:]),
		LastEdit: binary.LittleEndian.Uint64(b[28:]),
	}
	if h.Number != number {
		reason := fmt.Sprintf("header says segment %d, the file is named %d", h.Number, number)
		return Header{}, &flaw{offset: 12, reason: reason}
	}
	return h, nil
}

// appendRecord appends a record that will stand at an offset of a segment. It does not allocate when dst has room.
func appendRecord(dst []byte, segment uint64, offset int64, kind uint8, syncedTo int64, group []byte) []byte {
	var prefix [syncedToSize]byte
	binary.LittleEndian.PutUint64(prefix[:], uint64(syncedTo))
	return record.Append(dst, segment, offset, kind, prefix[:], group)
}

// recordSize is the number of bytes that a group takes in a segment.
func recordSize(group []byte) int64 { return int64(record.HeaderSize + syncedToSize + len(group)) }

// nextOf is the number of the segment after the one with that end record; 0 when the log was closed.
func nextOf(payload []byte) uint64 {
	if len(payload) < nextSize {
		return 0
	}
	return binary.LittleEndian.Uint64(payload)
}

// splitPayload takes a sound record's payload apart; reason is not empty when it is none of ours. What an end record
// has besides comes as group.
func splitPayload(rec record.Record) (syncedTo int64, group []byte, reason string) {
	if rec.Kind != kindGroup && rec.Kind != kindEnd {
		return 0, nil, fmt.Sprintf("record of kind %d, this program knows 1 and 2", rec.Kind)
	}
	rest := len(rec.Payload) - syncedToSize
	if rest < 0 || rec.Kind == kindEnd && rest != 0 && rest != nextSize {
		return 0, nil, fmt.Sprintf("record of kind %d with %d bytes", rec.Kind, len(rec.Payload))
	}
	synced := binary.LittleEndian.Uint64(rec.Payload)
	if synced < HeaderSize || synced > uint64(rec.Offset) {
		return 0, nil, fmt.Sprintf("record says that the segment was synced up to %d", synced)
	}
	if rec.Kind == kindEnd && synced != uint64(rec.Offset) {
		return 0, nil, fmt.Sprintf("end record says that the segment was synced up to %d only", synced)
	}
	return int64(synced), rec.Payload[syncedToSize:], ""
}
