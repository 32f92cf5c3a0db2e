package bloom

import "encoding/binary"

const (
	// maxPackedWidth is the widest number that one load of eight bytes holds wherever it begins in a byte.
	maxPackedWidth = 56

	// packedPadding lets the load for the last number go on beyond the payload.
	packedPadding = wordBytes
)

// packed is an array of numbers of the same width in bits without gaps: number i is the bits from i*width
// on, lowest first.
type packed struct {
	bytes []byte // the payload, whole words, and padding
	width uint64
	mask  uint64
}

func newPacked(n, width uint64) packed {
	return packedOver(make([]byte, packedBytes(n, width)+packedPadding), width)
}

// parsePacked copies a payload.
func parsePacked(payload []byte, width uint64) packed {
	bytes := make([]byte, len(payload)+packedPadding)
	copy(bytes, payload)
	return packedOver(bytes, width)
}

func packedOver(bytes []byte, width uint64) packed {
	return packed{bytes: bytes, width: width, mask: 1<<width - 1}
}

// packedBytes is the length of a payload of n numbers.
func packedBytes(n, width uint64) uint64 { return wordsFor(n*width) * wordBytes }

func (p *packed) payload() []byte { return p.bytes[:len(p.bytes)-packedPadding] }

func (p *packed) at(i uint64) uint64 {
	bit := i * p.width
	return binary.LittleEndian.Uint64(p.bytes[bit/8:]) >> (bit % 8) & p.mask
}

func (p *packed) set(i, v uint64) {
	bit := i * p.width
	word := binary.LittleEndian.Uint64(p.bytes[bit/8:])
	word = word&^(p.mask<<(bit%8)) | v<<(bit%8)
	binary.LittleEndian.PutUint64(p.bytes[bit/8:], word)
}

// clean reports whether no bit is set past the last of n numbers.
func (p *packed) clean(n uint64) bool {
	used := n * p.width
	if used%8 != 0 && p.bytes[used/8]>>(used%8) != 0 {
		return false
	}
	for _, b := range p.bytes[(used+7)/8:] {
		if b != 0 {
			return false
		}
	}
	return true
}
