package bloom

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
)

const (
	// Where the fields of a directory's entry stand; an entry for each part. The sum behind them is not read.
	offPartKeys  = 0
	offPartSlots = 8
	offPartSeed  = 16
	entrySize    = 32

	planeChecksumSize = 4
)

// The parameters of a ribbon's header.
const (
	paramPlanes = iota
	paramParts
	paramSlots // of one plane, over all parts
)

// ribbonPart is an entry of the directory: a share of the keys, solved by itself.
type ribbonPart struct {
	keys, slots, seed uint64
	// sum of the keys' 64 bits. Nobody reads it: it makes the checksums of filters of equal size differ.
	sum   uint64
	first uint64 // word of a plane; not stored
}

// starts is the number of slots that a row can start at.
func (p *ribbonPart) starts() uint64 { return p.slots - ribbonWidth + 1 }

// appendRibbon appends the bytes of a ribbon filter.
func appendRibbon(dst []byte, h Header, parts []solvedPart, planes int) []byte {
	var directory []byte
	var slots uint64
	for _, p := range parts {
		directory = binary.LittleEndian.AppendUint64(directory, p.keys)
		directory = binary.LittleEndian.AppendUint64(directory, p.slots)
		directory = binary.LittleEndian.AppendUint64(directory, p.seed)
		directory = binary.LittleEndian.AppendUint64(directory, p.sum)
		slots += p.slots
	}
	h.PayloadBytes = uint64(len(directory)) + uint64(planes)*(slots/8+planeChecksumSize)
	h.PayloadChecksum = crc32.Checksum(directory, castagnoli)
	h.Params = [numParams]uint64{paramPlanes: uint64(planes), paramParts: uint64(len(parts)), paramSlots: slots}

	start := len(dst)
	dst = slices.Grow(dst, headerSize+int(h.PayloadBytes))[:start+headerSize]
	h.put(dst[start:])
	dst = append(dst, directory...)
	for i := range planes {
		plane := len(dst)
		for _, p := range parts {
			dst = append(dst, p.plane(i)...)
		}
		dst = binary.LittleEndian.AppendUint32(dst, planeChecksum(h.checksum, i, dst[plane:]))
	}
	return dst
}

// planeChecksum covers the plane's number and the header's checksum beside the bits, so that no plane is taken for
// another, nor for one of another filter.
func planeChecksum(header uint32, number int, bits []byte) uint32 {
	var prefix [8]byte
	binary.LittleEndian.PutUint32(prefix[:], header)
	binary.LittleEndian.PutUint32(prefix[4:], uint32(number))
	return crc32.Update(crc32.Checksum(prefix[:], castagnoli), castagnoli, bits)
}

// ribbonHead is what a ribbon's header and directory say, checked.
type ribbonHead struct {
	Header
	parts []ribbonPart
}

// checkRibbon checks a ribbon's header as far as it goes without the directory.
func (h *Header) checkRibbon() error {
	planes, parts, slots := h.Params[paramPlanes], h.Params[paramParts], h.Params[paramSlots]
	if planes < 1 || planes > maxPlanes {
		return damaged(offParams+paramSize*paramPlanes, "%d planes, allowed is 1 to %d", planes, maxPlanes)
	}
	if parts < 1 || parts > maxParts {
		return damaged(offParams+paramSize*paramParts, "%d parts, allowed is 1 to %d", parts, maxParts)
	}
	if slots%wordBits != 0 || slots < ribbonWidth || slots > maxBits/planes {
		return damaged(offParams+paramSize*paramSlots, "%d slots in each of %d planes", slots, planes)
	}
	if want := parts*entrySize + planes*(slots/8+planeChecksumSize); h.PayloadBytes != want {
		return damaged(offLength, "payload of %d bytes, %d parts and %d planes of %d slots have %d",
			h.PayloadBytes, parts, planes, slots, want)
	}
	return nil
}

// readRibbonHeader reads and checks a ribbon's header.
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

// parseRibbonHead checks the directory at the start of payload against its header, which was checked.
func parseRibbonHead(h *Header, payload []byte) (*ribbonHead, error) {
	size := h.directoryBytes()
	if len(payload) < size {
		return nil, damaged(headerSize+int64(len(payload)), "the directory has %d bytes, not %d", len(payload), size)
	}
	directory := payload[:size]
	if got := crc32.Checksum(directory, castagnoli); got != h.PayloadChecksum {
		return nil, damaged(headerSize, "directory checksum is %08x, stored is %08x", got, h.PayloadChecksum)
	}
	r := &ribbonHead{Header: *h, parts: make([]ribbonPart, h.Params[paramParts])}
	var keys, slots uint64
	for i := range r.parts {
		entry := directory[i*entrySize:]
		p := ribbonPart{
			keys:  binary.LittleEndian.Uint64(entry[offPartKeys:]),
			slots: binary.LittleEndian.Uint64(entry[offPartSlots:]),
			seed:  binary.LittleEndian.Uint64(entry[offPartSeed:]),
			first: slots / wordBits,
		}
		at := int64(headerSize + i*entrySize)
		if p.keys > h.Keys-keys {
			return nil, damaged(at+offPartKeys, "part %d has %d keys, %d are left", i, p.keys, h.Keys-keys)
		}
		if p.slots%wordBits != 0 || p.slots < ribbonWidth || p.slots > h.Params[paramSlots]-slots {
			return nil, damaged(at+offPartSlots, "part %d has %d slots, %d are left",
				i, p.slots, h.Params[paramSlots]-slots)
		}
		if p.slots < p.keys || p.slots/2 > p.keys+2*ribbonWidth {
			return nil, damaged(at+offPartSlots, "part %d has %d slots for %d keys", i, p.slots, p.keys)
		}
		keys += p.keys
		slots += p.slots
		r.parts[i] = p
	}
	if keys != h.Keys || slots != h.Params[paramSlots] {
		return nil, damaged(headerSize, "the parts have %d keys and %d slots", keys, slots)
	}
	return r, nil
}

// directoryBytes is the length of the directory behind a header that was checked.
func (h *Header) directoryBytes() int { return int(h.Params[paramParts]) * entrySize }

// planeWords is the number of words of a plane.
func (r *ribbonHead) planeWords() int { return int(r.Params[paramSlots] / wordBits) }
