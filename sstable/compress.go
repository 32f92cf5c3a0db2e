package sstable

import (
	"encoding/binary"
	"fmt"

	"github.com/golang/snappy"
)

// Kinds of stored blocks: the first byte of the trailer.
const (
	kindRaw    = 0
	kindSnappy = 1
)

// maxCompressed bounds the blocks that are compressed: the encoder needs a sixth more than their size once more.
const maxCompressed = 64 << 20

// snappyExpansion bounds how many bytes one stored byte can stand for: the densest element of the snappy format
// makes 64 bytes out of 3 (format description, section 2.2.2).
const snappyExpansion = 22

// sealer turns contents of blocks into stored blocks. The zero value is ready; one goroutine at a time.
type sealer struct {
	compression Compression
	scratch     []byte
}

// seal returns the block as it is stored at offset: content, perhaps compressed, and the trailer. The result may
// use content's array or the sealer's, and is valid until either is used again.
func (s *sealer) seal(content []byte, offset int64) []byte {
	stored, kind := content, byte(kindRaw)
	if s.compression == Snappy && len(content) <= maxCompressed {
		if n := snappy.MaxEncodedLen(len(content)); cap(s.scratch) < n+trailerSize {
			s.scratch = make([]byte, n+trailerSize)
		}
		packed := snappy.Encode(s.scratch[:cap(s.scratch)], content)
		if len(packed) < len(content)-len(content)/8 {
			stored, kind = packed, kindSnappy
		}
	}
	stored = append(stored, kind)
	return binary.LittleEndian.AppendUint32(stored, checksum(stored, offset))
}

// unseal checks a stored block, trailer included, that stood at offset, and returns its content: a part of
// stored when it is raw, else a new slice. The error says what is wrong, without naming the place.
func unseal(stored []byte, offset int64) ([]byte, error) {
	body, kind, err := checked(stored, offset)
	if err != nil || kind == kindRaw {
		return body, err
	}
	return unpack(nil, body)
}

// checked is what a stored block, trailer included, holds, and how, once its checksum and kind are right.
func checked(stored []byte, offset int64) (body []byte, kind byte, err error) {
	if len(stored) < trailerSize {
		return nil, 0, fmt.Errorf("a block of %d bytes has no room for its trailer", len(stored))
	}
	n := len(stored) - trailerSize
	want, got := binary.LittleEndian.Uint32(stored[n+1:]), checksum(stored[:n+1], offset)
	if got != want {
		return nil, 0, fmt.Errorf("block checksum is %08x, its %d bytes give %08x", want, n+1, got)
	}
	if kind = stored[n]; kind != kindRaw && kind != kindSnappy {
		return nil, 0, fmt.Errorf("block kind %d is unknown", kind)
	}
	return stored[:n:n], kind, nil
}

// unpack uncompresses into memory, which must not be packed's.
func unpack(memory *memory, packed []byte) ([]byte, error) {
	n, err := snappy.DecodedLen(packed)
	if err != nil || n > maxContent || n > snappyExpansion*len(packed) {
		return nil, fmt.Errorf("%d bytes of snappy claim to hold %d", len(packed), n)
	}
	content, err := snappy.Decode(memory.room(n), packed)
	if err != nil {
		return nil, fmt.Errorf("snappy does not decode: %w", err)
	}
	return content, nil
}
