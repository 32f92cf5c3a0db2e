package bloom

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// Elastic is a ribbon filter of which any set of planes may be in memory: with j of them it answers maybe for a share 2^-j
// of absent keys, and never no for a key that is there; with none it answers maybe to all. It is a TableFilter. An
// Elastic never changes; With and Without make new ones that share its planes. Any number of goroutines may use it.
type Elastic struct {
	head     *ribbonHead
	resident []plane // ascending by number
}

// plane is one bit for each slot, and a word of 0 at the end so that a row's three words are always there.
type plane struct {
	number int
	words  []uint64
}

// HeadBytes is how many bytes of a filter ParseElastic needs, told from its first HeaderSize bytes. Errors are *FormatError:
// ErrUnknown for a filter of another family, ErrDamaged for what is no header of a ribbon with keys.
func HeadBytes(header []byte) (int, error) {
	h, err := readRibbonHeader(header)
	if err != nil {
		return 0, err
	}
	return headerSize + int(h.Params[paramParts])*entrySize, nil
}

// ParseElastic checks and decodes the head of a ribbon filter, as many bytes as HeadBytes says, and gives the filter
// without any plane. More bytes are not looked at. Errors as for HeadBytes.
func ParseElastic(head []byte) (*Elastic, error) {
	h, err := readRibbonHeader(head)
	if err != nil {
		return nil, err
	}
	r, err := parseRibbonHead(&h, head[headerSize:])
	if err != nil {
		return nil, err
	}
	return &Elastic{head: r}, nil
}

func readRibbonHeader(b []byte) (Header, error) {
	h, err := ReadHeader(b)
	if err != nil {
		return h, err
	}
	if h.Family != FamilyRibbon {
		return h, unknown(offFamily, "%v is not in planes", h.Family)
	}
	if err := h.checkTable(); err != nil {
		return h, err
	}
	if h.Keys == 0 {
		return h, damaged(offKeys, "no keys, so no planes")
	}
	return h, h.checkRibbon()
}

// parseRibbon makes a filter of all planes that are whole. A plane that is damaged costs rate, not the filter.
func parseRibbon(h *Header, payload []byte) (TableFilter, error) {
	if err := h.checkRibbon(); err != nil {
		return nil, err
	}
	r, err := parseRibbonHead(h, payload)
	if err != nil {
		return nil, err
	}
	e := &Elastic{head: r}
	for i := range e.Planes() {
		offset, length := e.PlaneRange(i)
		if with, err := e.With(i, payload[offset-headerSize:][:length]); err == nil {
			e = with
		}
	}
	return e, nil
}

// DamagedPlanes lists the planes of a ribbon filter that do not fit their checksums. It is empty for filters of other
// families, and for bytes that Parse refuses as a whole.
func DamagedPlanes(b []byte) []int {
	f, err := Parse(b)
	e, ok := f.(*Elastic)
	if err != nil || !ok {
		return nil
	}
	var damaged []int
	for i := range e.Planes() {
		if !e.Has(i) {
			damaged = append(damaged, i)
		}
	}
	return damaged
}

// Planes is the number of planes in the filter's bytes.
func (e *Elastic) Planes() int { return int(e.head.Params[paramPlanes]) }

// Resident is the number of planes in memory.
func (e *Elastic) Resident() int { return len(e.resident) }

// Has reports whether plane i is in memory.
func (e *Elastic) Has(i int) bool {
	for _, p := range e.resident {
		if p.number == i {
			return true
		}
	}
	return false
}

// PlaneBits is the memory of one plane, in bits; all planes of a filter have the same.
func (e *Elastic) PlaneBits() uint64 { return e.head.Params[paramSlots] }

// PlaneRange is where plane i, of 0 to Planes()-1, stands in the filter's bytes, its checksum included.
func (e *Elastic) PlaneRange(i int) (offset, length int64) {
	return e.head.planeOffset(i), int64(e.head.planeBytes() + planeChecksumSize)
}

// With is the filter with plane i, of 0 to Planes()-1, in memory too; bytes are those of PlaneRange, and are copied. If the
// plane is there already they are checked all the same. The error is a *FormatError with an offset in the filter's bytes,
// for bytes that are not this plane of this filter.
func (e *Elastic) With(i int, bytes []byte) (*Elastic, error) {
	offset, length := e.PlaneRange(i)
	if i < 0 || i >= e.Planes() || int64(len(bytes)) != length {
		return nil, damaged(offset, "plane %d of %d has %d bytes, not %d", i, e.Planes(), len(bytes), length)
	}
	content := bytes[:length-planeChecksumSize]
	want := binary.LittleEndian.Uint32(bytes[len(content):])
	if got := planeChecksum(e.head.Header.checksum, i, content); got != want {
		return nil, damaged(offset, "checksum of plane %d is %08x, stored is %08x", i, got, want)
	}
	words := make([]uint64, len(content)/wordBytes+1)
	for w := range len(content) / wordBytes {
		words[w] = binary.LittleEndian.Uint64(content[w*wordBytes:])
	}
	more := make([]plane, 0, len(e.resident)+1)
	for _, p := range e.resident {
		if p.number < i {
			more = append(more, p)
		}
	}
	more = append(more, plane{i, words})
	for _, p := range e.resident {
		if p.number > i {
			more = append(more, p)
		}
	}
	return &Elastic{head: e.head, resident: more}, nil
}

// Without is the filter without plane i in memory.
func (e *Elastic) Without(i int) *Elastic {
	fewer := make([]plane, 0, len(e.resident))
	for _, p := range e.resident {
		if p.number != i {
			fewer = append(fewer, p)
		}
	}
	return &Elastic{head: e.head, resident: fewer}
}

// Family is FamilyRibbon.
func (e *Elastic) Family() Family { return FamilyRibbon }

// Keys is the number of distinct keys the filter was built from.
func (e *Elastic) Keys() uint64 { return e.head.Keys }

// Bits is the size of the planes in memory.
func (e *Elastic) Bits() uint64 { return uint64(len(e.resident)) * e.PlaneBits() }

// AskedBitsPerKey is what the policy asked for; the planes in the filter's bytes may be many more.
func (e *Elastic) AskedBitsPerKey() float64 { return e.head.AskedBits }

// ExpectedRate is 2^-j with j planes in memory: exact, whatever the number of keys.
func (e *Elastic) ExpectedRate() float64 { return math.Ldexp(1, -len(e.resident)) }

// MayContain reports whether the key's equation holds in each plane that is in memory.
func (e *Elastic) MayContain(h Hash) bool {
	part := &e.head.parts[0]
	if len(e.head.parts) > 1 {
		part = &e.head.parts[partOf(h, uint64(len(e.head.parts)))]
	}
	k := ribbonKeyOf(h, part.seed)
	start := k.start(part.starts())
	low, high := k.row()
	shift := start % wordBits
	middle := low>>(wordBits-shift) | high<<shift
	last := high >> (wordBits - shift)
	low <<= shift
	first := part.first + start/wordBits
	result := k.result()
	for _, p := range e.resident {
		words := (*[3]uint64)(p.words[first:])
		sum := words[0]&low ^ words[1]&middle ^ words[2]&last
		if (uint16(bits.OnesCount64(sum))^result>>p.number)&1 != 0 {
			return false
		}
	}
	return true
}
