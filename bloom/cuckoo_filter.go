package bloom

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
)

const (
	// filterLoad is the share of a CuckooFilter's slots that the keys it was made for take.
	filterLoad = 0.94

	// leastFilterBits is the fewest bits of a fingerprint. With fewer, large filters find no room at that load.
	leastFilterBits = 9

	// filterSlack are slots beyond that: a small filter is not filled evenly.
	filterSlack = 8
)

// CuckooFilter is a filter from which keys can be taken out again: fingerprints of keys, each in one of two buckets.
// Beside a Counting it takes a third of the memory, and beside a Filter less below a rate of 0.4 %. The zero
// CuckooFilter is there to be filled by UnmarshalBinary; it answers maybe to everything while it holds a key.
//
// It never refuses a key: fingerprints that find no room in the buckets are kept beside them, at 24 bytes and more
// each, so a filter of many more keys than it was made for is large and its rate is higher. EstimatedRate
// says how high.
//
// Add, Remove and UnmarshalBinary must not run beside any other call. The other methods may run in any
// number of goroutines.
type CuckooFilter struct {
	table  cuckooTable
	beside map[cuckooClass]uint64 // how often, of those that found no room
	taken  uint64                 // slots
	held   int
}

// cuckooClass is what keys that cannot be told apart have in common. Every key has an even bucket and an odd one.
type cuckooClass struct{ even, fingerprint uint64 }

func (k cuckooKey) class() cuckooClass {
	even := k.bucket
	if even%2 != 0 {
		even = k.other
	}
	return cuckooClass{even, k.fingerprint}
}

// NewCuckoo makes a CuckooFilter that answers maybe for a share falsePositives of absent keys, or fewer, while n keys
// are in it; both as for New, and so are errors.
func NewCuckoo(n int, falsePositives float64) (*CuckooFilter, error) {
	keys, err := checkStandalone(n, falsePositives)
	if err != nil {
		return nil, err
	}
	buckets := evenUp(float64(keys)/filterLoad + filterSlack)
	width := uint64(leastFilterBits)
	for cuckooRate(buckets, width, keys) > falsePositives {
		width++
	}
	if err := checkSize(float64(buckets) * bucketSize * float64(width)); err != nil {
		return nil, err
	}
	return newCuckooFilter(newCuckooTable(newPacked(buckets*bucketSize, width), buckets)), nil
}

func newCuckooFilter(t cuckooTable) *CuckooFilter {
	return &CuckooFilter{table: t, beside: map[cuckooClass]uint64{}}
}

// Add puts a key in. One that is in already is in once more, and must be taken out as often. It does not
// keep the slice.
func (f *CuckooFilter) Add(key []byte) {
	f.held++
	if f.table.buckets == 0 {
		return
	}
	k := f.table.keyOf(Sum(key))
	if f.table.insert(k) {
		f.taken++
	} else {
		f.beside[k.class()]++
	}
}

// Remove takes a key out, one of the times that it was put in, and reports whether it may have been there. Take out
// only what was put in: when Remove reports false the key surely was not there and nothing has changed, but an absent
// key that is taken for present, a share EstimatedRate of them, takes another with it, which may then be denied.
func (f *CuckooFilter) Remove(key []byte) bool {
	if f.table.buckets == 0 {
		if f.held == 0 {
			return false
		}
		f.held--
		return true
	}
	k := f.table.keyOf(Sum(key))
	switch class := k.class(); {
	case f.beside[class] > 1:
		f.beside[class]--
	case f.beside[class] == 1:
		delete(f.beside, class)
	case f.table.remove(k):
		f.taken--
	default:
		return false
	}
	f.held--
	return true
}

// MayContain reports false only when the key was never added, or taken out as often. True means maybe.
func (f *CuckooFilter) MayContain(key []byte) bool {
	if f.table.buckets == 0 {
		return f.held > 0
	}
	k := f.table.keyOf(Sum(key))
	return f.table.contains(k) || len(f.beside) > 0 && f.beside[k.class()] > 0
}

// Len is the number of calls of Add less those of Remove that reported true.
func (f *CuckooFilter) Len() int { return f.held }

// EstimatedRate is the share of absent keys that get a maybe now, judged by the fingerprints there are. Keys that were
// added more than once make it too high.
func (f *CuckooFilter) EstimatedRate() float64 {
	if f.table.buckets == 0 {
		return min(1, float64(f.held))
	}
	return cuckooRate(f.table.buckets, f.table.width, f.taken+uint64(len(f.beside)))
}

// besideSize is what a class that found no room takes in the bytes: its even bucket, its fingerprint, and how often.
const besideSize = 3 * wordBytes

// MarshalBinary encodes the filter, header, payload and checksums, into new bytes. It never fails.
func (f *CuckooFilter) MarshalBinary() ([]byte, error) {
	h := Header{Family: FamilyRemovable, Keys: uint64(f.held)}
	if f.table.buckets == 0 {
		return appendFilter(nil, h, nil), nil
	}
	h.Params = [numParams]uint64{f.table.buckets, f.table.width, uint64(len(f.beside))}
	classes := make([]cuckooClass, 0, len(f.beside))
	for class := range f.beside {
		classes = append(classes, class)
	}
	slices.SortFunc(classes, cuckooClass.compare)
	payload := slices.Clone(f.table.payload())
	for _, class := range classes {
		payload = binary.LittleEndian.AppendUint64(payload, class.even)
		payload = binary.LittleEndian.AppendUint64(payload, class.fingerprint)
		payload = binary.LittleEndian.AppendUint64(payload, f.beside[class])
	}
	return appendPayload(nil, h, payload), nil
}

func (c cuckooClass) compare(d cuckooClass) int {
	return cmp.Or(cmp.Compare(c.even, d.even), cmp.Compare(c.fingerprint, d.fingerprint))
}

// UnmarshalBinary replaces the filter by the one that b encodes. It copies, so b may be used again. On an error, a
// *FormatError as from Parse, the filter is unchanged.
func (f *CuckooFilter) UnmarshalBinary(b []byte) error {
	h, payload, err := readStandalone(b, FamilyRemovable)
	if err != nil {
		return err
	}
	if h.isZeroValue() {
		*f = CuckooFilter{held: int(h.Keys)}
		return nil
	}
	buckets, width, classes := h.Params[0], h.Params[1], h.Params[2]
	if width < leastFilterBits || width > maxPackedWidth {
		return damaged(offParams+paramSize, "fingerprints of %d bits, allowed is %d to %d",
			width, leastFilterBits, maxPackedWidth)
	}
	if buckets == 0 || buckets%2 != 0 || buckets > maxBits/(bucketSize*width) {
		return damaged(offParams, "%d buckets", buckets)
	}
	slots := packedBytes(buckets*bucketSize, width)
	if uint64(len(payload)) < slots || (uint64(len(payload))-slots)/besideSize != classes ||
		(uint64(len(payload))-slots)%besideSize != 0 {
		return damaged(offLength, "%d buckets and %d fingerprints beside, the payload has %d bytes",
			buckets, classes, len(payload))
	}
	if err := checkPayload(&h, payload); err != nil {
		return err
	}
	table, err := parseCuckooTable(payload[:slots], buckets, width)
	if err != nil {
		return err
	}
	read := newCuckooFilter(table)
	if err := read.parseBeside(payload[slots:], headerSize+int64(slots)); err != nil {
		return err
	}
	read.taken = table.taken()
	read.held = int(h.Keys)
	if held := read.besideCount() + read.taken; held != h.Keys {
		return damaged(offKeys, "%d keys, %d fingerprints", h.Keys, held)
	}
	*f = *read
	return nil
}

// parseBeside decodes the classes that found no room, which stand at offset in the filter's bytes, in their order.
func (f *CuckooFilter) parseBeside(b []byte, offset int64) error {
	last := cuckooClass{}
	for ; len(b) > 0; b, offset = b[besideSize:], offset+besideSize {
		class := cuckooClass{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[wordBytes:])}
		times := binary.LittleEndian.Uint64(b[2*wordBytes:])
		if class.even%2 != 0 || class.even >= f.table.buckets || class.fingerprint == 0 ||
			class.fingerprint > f.table.mask {
			return damaged(offset, "fingerprint %d of bucket %d", class.fingerprint, class.even)
		}
		if class.compare(last) <= 0 {
			return damaged(offset, "fingerprint %d of bucket %d is out of order", class.fingerprint, class.even)
		}
		if times == 0 || times > math.MaxInt {
			return damaged(offset+2*wordBytes, "%d times", times)
		}
		f.beside[class] = times
		last = class
	}
	return nil
}

// besideCount is the number of fingerprints that found no room; it stops counting beyond what can be.
func (f *CuckooFilter) besideCount() (n uint64) {
	for _, times := range f.beside {
		n = min(n+times, math.MaxInt64)
	}
	return n
}
