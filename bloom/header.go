package bloom

import (
	"encoding/binary"
	"hash/crc32"
	"math"
)

// Where the header's fields stand; the byte table is in doc.go.
const (
	offMagic   = 0
	offFormat  = 4
	offFamily  = 5
	offHash    = 6
	offUnused  = 7
	offKeys    = 8
	offAsked   = 16
	offLength  = 24
	offParams  = 32
	offPayload = 56
	offHeader  = 60

	headerSize = HeaderSize

	magic         = "SFLT"
	currentFormat = 1
	numParams     = 3
	paramSize     = 8
)

// HeaderSize is the length of every filter's header, in bytes.
const HeaderSize = 64

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Header is what stands before a filter's payload: everything needed to read it, and nothing that depends on today's
// options. It is a value.
type Header struct {
	Format uint8
	Family Family
	HashID uint8
	// Keys is the number of distinct keys of a table, or of calls of Add of a stand-alone filter.
	Keys uint64
	// AskedBits is the bits per key the policy asked for; 0 for a stand-alone filter.
	AskedBits float64
	// PayloadBytes is the length of what follows the header.
	PayloadBytes uint64
	// Params are the family's own; doc.go says what each family puts there. Those it does not use are 0.
	Params [numParams]uint64
	// PayloadChecksum is the CRC-32C of the payload; of a ribbon, that of its directory.
	PayloadChecksum uint32

	checksum uint32 // of the header itself, once read or put
}

// ReadHeader decodes the header at the head of b and no more, for dumps: b may end after it, and the family and the
// hash may be unknown. Errors are *FormatError.
func ReadHeader(b []byte) (Header, error) {
	if len(b) < headerSize {
		return Header{}, damaged(int64(len(b)), "%d bytes, a header has %d", len(b), headerSize)
	}
	if got := string(b[offMagic:offFormat]); got != magic {
		return Header{}, damaged(offMagic, "starts with %q, not %q", got, magic)
	}
	// The checksum stands in the same place in every format, so a flipped bit is never taken for a newer format.
	want := binary.LittleEndian.Uint32(b[offHeader:])
	if got := crc32.Checksum(b[:offHeader], castagnoli); got != want {
		return Header{}, damaged(offHeader, "header checksum is %08x, stored is %08x", got, want)
	}
	if b[offFormat] != currentFormat {
		return Header{}, unknown(offFormat, "format %d, known is %d", b[offFormat], currentFormat)
	}
	if b[offUnused] != 0 {
		return Header{}, damaged(offUnused, "unused byte is %d", b[offUnused])
	}
	h := Header{
		Format:          b[offFormat],
		Family:          Family(b[offFamily]),
		HashID:          b[offHash],
		Keys:            binary.LittleEndian.Uint64(b[offKeys:]),
		AskedBits:       math.Float64frombits(binary.LittleEndian.Uint64(b[offAsked:])),
		PayloadBytes:    binary.LittleEndian.Uint64(b[offLength:]),
		PayloadChecksum: binary.LittleEndian.Uint32(b[offPayload:]),
		checksum:        want,
	}
	for i := range h.Params {
		h.Params[i] = binary.LittleEndian.Uint64(b[offParams+paramSize*i:])
	}
	return h, nil
}

// put encodes the header into the first headerSize bytes of b and seals it with its checksum.
func (h *Header) put(b []byte) {
	copy(b[offMagic:], magic)
	b[offFormat] = currentFormat
	b[offFamily] = byte(h.Family)
	b[offHash] = hashMurmur3
	b[offUnused] = 0
	binary.LittleEndian.PutUint64(b[offKeys:], h.Keys)
	binary.LittleEndian.PutUint64(b[offAsked:], math.Float64bits(h.AskedBits))
	binary.LittleEndian.PutUint64(b[offLength:], h.PayloadBytes)
	for i, p := range h.Params {
		binary.LittleEndian.PutUint64(b[offParams+paramSize*i:], p)
	}
	binary.LittleEndian.PutUint32(b[offPayload:], h.PayloadChecksum)
	h.checksum = crc32.Checksum(b[:offHeader], castagnoli)
	binary.LittleEndian.PutUint32(b[offHeader:], h.checksum)
}

// checkTable checks what holds for every table's filter.
func (h *Header) checkTable() error {
	if h.HashID != hashMurmur3 {
		return unknown(offHash, "hash %d, known is %d", h.HashID, hashMurmur3)
	}
	if !(h.AskedBits > 0 && h.AskedBits <= maxBitsPerKey) {
		return damaged(offAsked, "asked for %g bits per key, allowed is more than 0, up to %d",
			h.AskedBits, maxBitsPerKey)
	}
	if h.Keys > maxKeys {
		return damaged(offKeys, "%d keys, at most %d can be", h.Keys, uint64(maxKeys))
	}
	if h.Keys == 0 && (h.PayloadBytes != 0 || h.PayloadChecksum != 0 || h.Params != [numParams]uint64{}) {
		return damaged(offKeys, "no keys, but %d bytes of payload and parameters %d", h.PayloadBytes, h.Params)
	}
	return nil
}

// payload cuts the payload out of b. Anything before or behind it is damage: a filter's bytes are exactly its own.
func (h *Header) payload(b []byte) ([]byte, error) {
	rest := b[headerSize:]
	if uint64(len(rest)) != h.PayloadBytes {
		return nil, damaged(offLength, "payload of %d bytes, %d follow the header", h.PayloadBytes, len(rest))
	}
	return rest, nil
}

// checkParam compares parameter i with what the rest of the header makes of it.
func (h *Header) checkParam(i int, name string, want uint64) error {
	if h.Params[i] != want {
		return damaged(int64(offParams+paramSize*i), "%s is %d, expected %d", name, h.Params[i], want)
	}
	return nil
}

// checkProbes bounds the number of probes, parameter 1 of the families that have one.
func (h *Header) checkProbes(most int) error {
	if k := h.Params[1]; k < 1 || k > uint64(most) {
		return damaged(offParams+paramSize, "%d probes, allowed is 1 to %d", k, most)
	}
	return nil
}
