package bloom

import "strconv"

// Family is a kind of filter. Its number stands in headers and never changes its meaning. Numbers below 64 are filters
// of tables, those from 64 on are filters that stand alone.
type Family uint8

// The families.
const (
	FamilyClassic    Family = 1  // Bloom's filter: m bits, k of them by double hashing
	FamilyBlocked    Family = 2  // all bits of a key in one line of 64 bytes
	FamilyRibbon     Family = 3  // a ribbon's solution in planes, of which any may be in memory
	FamilyFuse       Family = 4  // fingerprints in slots that add up, three for a key
	FamilyCuckoo     Family = 5  // fingerprints in one of two buckets of four
	FamilyStandalone Family = 64 // a Filter: classic bits that keys can still be added to
	FamilyCounting   Family = 65 // a Counting: counters, so that keys can be taken out
	FamilyScalable   Family = 66 // a Scalable: classic bits in slices, one larger than the other
	FamilyRemovable  Family = 67 // a CuckooFilter
)

// String is the family's name, as properties and dumps print it.
func (f Family) String() string {
	switch f {
	case FamilyClassic:
		return "classic"
	case FamilyBlocked:
		return "blocked"
	case FamilyRibbon:
		return "ribbon"
	case FamilyFuse:
		return "fuse"
	case FamilyCuckoo:
		return "cuckoo"
	case FamilyStandalone:
		return "stand-alone"
	case FamilyCounting:
		return "counting"
	case FamilyScalable:
		return "scalable"
	case FamilyRemovable:
		return "stand-alone cuckoo"
	}
	return "family " + strconv.Itoa(int(f))
}

// tableFamily is the code behind one family of tables' filters.
type tableFamily struct {
	// build starts a filter of so many bits per key.
	build func(bitsPerKey float64) Builder
	// parse makes a filter from a header and the payload that follows it. The header was checked as far as it is common
	// to all, and has keys; the family checks its own parameters and the payload's checksum or checksums. It copies
	// what it keeps.
	parse func(h *Header, payload []byte) (TableFilter, error)
}

// familyOf finds the code of a family of tables' filters.
func familyOf(f Family) (code tableFamily, ok bool) {
	switch f {
	case FamilyClassic:
		return tableFamily{newClassicBuilder, parseClassic}, true
	case FamilyBlocked:
		return tableFamily{newBlockedBuilder, parseBlocked}, true
	case FamilyRibbon:
		return tableFamily{newFullRibbonBuilder, parseRibbon}, true
	case FamilyFuse:
		return tableFamily{newFuseBuilder, parseFuse}, true
	case FamilyCuckoo:
		return tableFamily{newCuckooBuilder, parseCuckoo}, true
	}
	return tableFamily{}, false
}

// Parse checks and decodes the filter of a table from its bytes alone. It copies, so b may be used again. Errors are
// *FormatError with offsets in b: ErrUnknown for a format, family or hash this program does not know, ErrDamaged for
// everything else, but for planes of an Elastic: those that are damaged are left out, and DamagedPlanes lists them. It
// allocates no more than b's length, whatever b says.
func Parse(b []byte) (TableFilter, error) {
	h, err := ReadHeader(b)
	if err != nil {
		return nil, err
	}
	family, ok := familyOf(h.Family)
	if !ok {
		return nil, unknown(offFamily, "%v is not a table's filter", h.Family)
	}
	if err := h.checkTable(); err != nil {
		return nil, err
	}
	payload, err := h.payload(b)
	if err != nil {
		return nil, err
	}
	if h.Keys == 0 {
		return newEmpty(&h), nil
	}
	return family.parse(&h, payload)
}
