package bloom

import (
	"encoding/binary"
	"math"
)

// Elastic is a ribbon filter of which any set of planes may be in memory: with j of them it answers maybe for a share
// 2^-j of absent keys, and never no for a key that is there; with none it answers maybe to all. It is a TableFilter,
// made by Parse or ParseElastic. An Elastic never changes; With, WithRun and Without make new ones that share what they
// can. Any number of goroutines may use it.
type Elastic struct {
	head *ribbonHead
	// What a probe needs is here, without a further pointer: a store has many tables, and an absent key is
	// asked of each.
	part   ribbonPart   // the first
	parts  []ribbonPart // all of them when there are several
	used   int          // groups that have planes; they are the first ones
	groups [maxPlanes / groupWidth]group
}

// HeadBytes is how many bytes of a filter ParseElastic needs, told from its first HeaderSize bytes. Errors are
// *FormatError: ErrUnknown for a filter of another family, ErrDamaged for what is no header of a ribbon with keys.
func HeadBytes(header []byte) (int, error) {
	h, err := readRibbonHeader(header)
	if err != nil {
		return 0, err
	}
	return headerSize + h.directoryBytes(), nil
}

// ParseElastic checks and decodes the head of a ribbon filter, as many bytes as HeadBytes says, and gives the filter
// without any plane. More bytes are not looked at. Errors as for HeadBytes.
func ParseElastic(head []byte) (*Elastic, error) {
	h, err := readRibbonHeader(head)
	if err != nil {
		return nil, err
	}
	return parseElastic(&h, head[headerSize:])
}

func parseElastic(h *Header, payload []byte) (*Elastic, error) {
	head, err := parseRibbonHead(h, payload)
	if err != nil {
		return nil, err
	}
	e := &Elastic{head: head, part: head.parts[0]}
	if len(head.parts) > 1 {
		e.parts = head.parts
	}
	return e, nil
}

// parseRibbon makes a filter of all planes that are whole. A plane that is damaged costs rate, not the filter.
func parseRibbon(h *Header, payload []byte) (TableFilter, error) {
	if err := h.checkRibbon(); err != nil {
		return nil, err
	}
	e, err := parseElastic(h, payload)
	if err != nil {
		return nil, err
	}
	whole := make([]lane, 0, maxPlanes)
	for i := range e.Planes() {
		offset, length := e.PlaneRange(i)
		if bits, err := e.checkPlane(i, payload[offset-headerSize:][:length]); err == nil {
			whole = append(whole, lane{number: i, bytes: bits})
		}
	}
	return e.with(whole), nil
}

// DamagedPlanes lists the planes of a ribbon filter that do not fit their checksums. It is empty for filters of other
// families, and for bytes that Parse refuses as a whole.
func DamagedPlanes(b []byte) []int {
	h, err := readRibbonHeader(b)
	if err != nil {
		return nil
	}
	payload, err := h.payload(b)
	if err != nil {
		return nil
	}
	e, err := parseElastic(&h, payload)
	if err != nil {
		return nil
	}
	var damaged []int
	for i := range e.Planes() {
		offset, length := e.PlaneRange(i)
		if _, err := e.checkPlane(i, b[offset:][:length]); err != nil {
			damaged = append(damaged, i)
		}
	}
	return damaged
}

// checkPlane checks the bytes of a plane and gives its bits.
func (e *Elastic) checkPlane(i int, bytes []byte) ([]byte, error) {
	if i < 0 || i >= e.Planes() {
		return nil, damaged(offParams, "no plane %d among %d", i, e.Planes())
	}
	offset, length := e.PlaneRange(i)
	if int64(len(bytes)) != length {
		return nil, damaged(offset, "plane %d has %d bytes, not %d", i, len(bytes), length)
	}
	bits := bytes[:length-planeChecksumSize]
	want := binary.LittleEndian.Uint32(bytes[len(bits):])
	if got := planeChecksum(e.head.checksum, i, bits); got != want {
		return nil, damaged(offset, "checksum of plane %d is %08x, stored is %08x", i, got, want)
	}
	return bits, nil
}

// Planes is the number of planes in the filter's bytes.
func (e *Elastic) Planes() int { return int(e.head.Params[paramPlanes]) }

// Resident is the number of planes in memory.
func (e *Elastic) Resident() int {
	n := 0
	for i := range e.used {
		n += e.groups[i].width
	}
	return n
}

// Has reports whether plane i is in memory.
func (e *Elastic) Has(i int) bool {
	_, _, ok := e.find(i)
	return ok
}

// find gives the group that has plane i, and the plane's lane in it.
func (e *Elastic) find(i int) (group, lane int, ok bool) {
	for g := range e.used {
		if lane, ok := e.groups[g].find(i); ok {
			return g, lane, true
		}
	}
	return 0, 0, false
}

// PlaneBits is the memory of one plane, in bits; all planes of a filter have the same.
func (e *Elastic) PlaneBits() uint64 { return e.head.Params[paramSlots] }

// PlaneRange is where plane i, of 0 to Planes()-1, stands in the filter's bytes, its checksum included.
func (e *Elastic) PlaneRange(i int) (offset, length int64) {
	length = int64(e.PlaneBits()/8) + planeChecksumSize
	return headerSize + int64(e.head.directoryBytes()) + int64(i)*length, length
}

// With is the filter with plane i, of 0 to Planes()-1, in memory too; bytes are those of PlaneRange, and are copied. If
// the plane is there already they are checked all the same. The error is a *FormatError with an offset in the filter's
// bytes, for bytes that are not this plane of this filter.
func (e *Elastic) With(i int, bytes []byte) (*Elastic, error) {
	bits, err := e.checkPlane(i, bytes)
	if err != nil {
		return nil, err
	}
	if e.Has(i) {
		return e, nil
	}
	return e.with([]lane{{number: i, bytes: bits}}), nil
}

// WithRun is the filter with the sound ones of the planes from first up to, and without, end in memory too, which is
// less work than to add one after the other. The bytes are those of their PlaneRanges in a row, and are copied. Bad
// has, by number, the error that With gives for each plane that is not sound; it is empty if all are.
func (e *Elastic) WithRun(first, end int, bytes []byte) (with *Elastic, bad map[int]error) {
	added := make([]lane, 0, maxPlanes)
	for i := first; i < end; i++ {
		_, length := e.PlaneRange(i)
		n := min(length, int64(len(bytes)))
		bits, err := e.checkPlane(i, bytes[:n])
		bytes = bytes[n:]
		switch {
		case err != nil:
			if bad == nil {
				bad = make(map[int]error)
			}
			bad[i] = err
		case !e.Has(i):
			added = append(added, lane{number: i, bytes: bits})
		}
	}
	if len(added) == 0 {
		return e, bad
	}
	return e.with(added), bad
}

// with is the filter with planes that it does not have: groups that have room are filled up, then new ones begin.
func (e *Elastic) with(added []lane) *Elastic {
	with := *e
	for at := 0; len(added) > 0; at++ {
		n := min(groupWidth-with.groups[at].width, len(added))
		if n == 0 {
			continue
		}
		with.groups[at] = newGroup(e.head.planeWords(), append(e.groups[at].lanes(), added[:n]...))
		with.used = max(with.used, at+1)
		added = added[n:]
	}
	return &with
}

// Without is the filter without plane i in memory.
func (e *Elastic) Without(i int) *Elastic {
	at, drop, ok := e.find(i)
	if !ok {
		return e
	}
	without := *e
	lanes := e.groups[at].lanes()
	if lanes = append(lanes[:drop], lanes[drop+1:]...); len(lanes) > 0 {
		without.groups[at] = newGroup(e.head.planeWords(), lanes)
		return &without
	}
	copy(without.groups[at:], e.groups[at+1:e.used])
	without.used--
	without.groups[without.used] = group{}
	return &without
}

// Family is FamilyRibbon.
func (e *Elastic) Family() Family { return FamilyRibbon }

// Keys is the number of distinct keys the filter was built from.
func (e *Elastic) Keys() uint64 { return e.head.Keys }

// Bits is the size of the planes in memory.
func (e *Elastic) Bits() uint64 { return uint64(e.Resident()) * e.PlaneBits() }

// AskedBitsPerKey is what the policy asked for; the planes in the filter's bytes may be many more.
func (e *Elastic) AskedBitsPerKey() float64 { return e.head.AskedBits }

// ExpectedRate is 2^-j with j planes in memory: exact, whatever the number of keys.
func (e *Elastic) ExpectedRate() float64 { return math.Ldexp(1, -e.Resident()) }

// MayContain reports whether the key's equation holds in each plane that is in memory.
func (e *Elastic) MayContain(h Hash) bool {
	part := &e.part
	if len(e.parts) > 0 {
		part = &e.parts[partOf(h, uint64(len(e.parts)))]
	}
	k := ribbonKeyOf(h, part.seed)
	start := k.start(part.starts())
	row := k.rowAt(start)
	word, result := part.first+start/wordBits, k.result()
	for i := range e.groups[:e.used] {
		if !e.groups[i].holds(word, &row, result) {
			return false
		}
	}
	return true
}
