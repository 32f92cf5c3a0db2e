package bloom

import (
	"encoding/binary"
	"math"
	"slices"
)

// Growth says how a Scalable goes on when it is full.
type Growth struct {
	// Factor is how many times as many keys each slice takes as the one before: 1 to 4. A small one wastes less of the
	// last slice, a large one makes fewer slices, each of which costs a probe.
	Factor float64
	// Tightening is the rate of each slice over that of the one before: 0.1 to 0.95. Near 1 the first slices are dear,
	// near 0 the later ones.
	Tightening float64
}

// defaultGrowth keeps a filter that grew tenfold below twice the size of one that was made for as many keys.
var defaultGrowth = Growth{Factor: 1.5, Tightening: 0.8}

const (
	mostFactor       = 4
	leastTightening  = 0.1
	mostTightening   = 0.95
	lowestSliceRate  = lowestRate / 1000
	sliceEntrySize   = 4 * wordBytes
	scalableHeadSize = 3 * wordBytes

	// leastBitsPerKey is what even the loosest slice has: 1.44 log2(1/0.9) bits.
	leastBitsPerKey = 0.2
)

// Scalable is a Bloom filter of which nobody knows how many keys it will hold: a list of slices, each larger than the
// one before and of a lower rate, so that the rates of all together never exceed what was asked for (Almeida, Baquero,
// Preguiça and Hutchison, "Scalable Bloom Filters", 2007). Slice i has the rate P(1-r)r^i, which adds up to P. Keys
// cannot be taken out. The zero Scalable is there to be filled by UnmarshalBinary; it answers maybe to everything once
// a key is added.
//
// Add and UnmarshalBinary must not run beside any other call. The other methods may run in any number of goroutines.
type Scalable struct {
	slices []scalableSlice // oldest first
	rate   float64         // of all together
	growth Growth
	added  int
}

type scalableSlice struct {
	bits     bitArray
	capacity uint64 // keys that it takes
	room     uint64 // keys that it still takes
	set      uint64 // bits that are set
}

// NewScalable makes a Scalable that answers maybe for a share falsePositives of absent keys, within 1 %, however many
// keys are added. It has room for n at first, and grows by half each time; both as for New, and so are errors. At n
// keys it takes 1.4 times the memory of a filter made by New for as many; when it grew tenfold, twice.
func NewScalable(n int, falsePositives float64) (*Scalable, error) {
	return NewScalableBy(n, falsePositives, defaultGrowth)
}

// NewScalableBy is NewScalable with another way of growing. A Growth outside its domain is a *ParameterError.
func NewScalableBy(n int, falsePositives float64, growth Growth) (*Scalable, error) {
	capacity, err := checkStandalone(n, falsePositives)
	if err != nil {
		return nil, err
	}
	if err := growth.validate(); err != nil {
		return nil, err
	}
	s := &Scalable{rate: falsePositives, growth: growth}
	m, probes := standaloneSize(capacity, s.sliceRate(0))
	if err := checkSize(float64(m)); err != nil {
		return nil, err
	}
	s.addSlice(capacity, m, probes)
	return s, nil
}

func (g Growth) validate() error {
	if !(g.Factor >= 1 && g.Factor <= mostFactor) {
		return &ParameterError{Name: "factor of growth", Value: g.Factor, Allowed: "1 to 4"}
	}
	if !(g.Tightening >= leastTightening && g.Tightening <= mostTightening) {
		return &ParameterError{Name: "tightening of growth", Value: g.Tightening, Allowed: "0.1 to 0.95"}
	}
	return nil
}

// sliceRate is the rate that slice i is made for.
func (s *Scalable) sliceRate(i int) float64 {
	return math.Max(lowestSliceRate, s.rate*(1-s.growth.Tightening)*math.Pow(s.growth.Tightening, float64(i)))
}

func (s *Scalable) addSlice(capacity, m uint64, probes int) {
	array := newBitArray(make([]uint64, wordsFor(m)), m, probes)
	s.slices = append(s.slices, scalableSlice{bits: array, capacity: capacity, room: capacity})
}

// grow makes room for more keys. Where a slice would be larger than a filter can be, the last one takes them all, and
// the rate rises as that of a Filter does.
func (s *Scalable) grow() {
	last := &s.slices[len(s.slices)-1]
	capacity := uint64(math.Ceil(float64(last.capacity) * s.growth.Factor))
	m, probes := standaloneSize(capacity, s.sliceRate(len(s.slices)))
	if m > maxBits {
		last.room = math.MaxInt
		return
	}
	s.addSlice(capacity, m, probes)
}

// Add puts a key in. One that is taken for present already, rightly or not, takes no room. It does not keep the slice.
func (s *Scalable) Add(key []byte) {
	s.added++
	if len(s.slices) == 0 {
		return
	}
	h := Sum(key)
	if s.mayContain(h) {
		return
	}
	if s.slices[len(s.slices)-1].room == 0 {
		s.grow()
	}
	last := &s.slices[len(s.slices)-1]
	last.set += last.bits.add(h)
	last.room--
}

// MayContain reports false only when the key was never added. True means maybe.
func (s *Scalable) MayContain(key []byte) bool {
	if len(s.slices) == 0 {
		return s.added > 0
	}
	return s.mayContain(Sum(key))
}

// mayContain looks into the newest slice first, which holds the most keys.
func (s *Scalable) mayContain(h Hash) bool {
	for i := range s.slices {
		if s.slices[len(s.slices)-1-i].bits.MayContain(h) {
			return true
		}
	}
	return false
}

// Len is the number of calls of Add; a key added twice counts twice.
func (s *Scalable) Len() int { return s.added }

// EstimatedRate is the share of absent keys that get a maybe now, judged by the bits that are set: that of no slice
// saying maybe, taken from one.
func (s *Scalable) EstimatedRate() float64 {
	if len(s.slices) == 0 {
		return min(1, float64(s.added))
	}
	none := 1.0
	for i := range s.slices {
		none *= 1 - s.slices[i].bits.rateAt(s.slices[i].set)
	}
	return 1 - none
}

// MarshalBinary encodes the filter, header, payload and checksums, into new bytes. It never fails.
func (s *Scalable) MarshalBinary() ([]byte, error) {
	h := Header{Family: FamilyScalable, Keys: uint64(s.added)}
	if len(s.slices) == 0 {
		return appendFilter(nil, h, nil), nil
	}
	h.Params = [numParams]uint64{uint64(len(s.slices))}
	words := []uint64{math.Float64bits(s.rate), math.Float64bits(s.growth.Factor),
		math.Float64bits(s.growth.Tightening)}
	for _, slice := range s.slices {
		words = append(words, slice.capacity, slice.room, slice.bits.m, uint64(slice.bits.probes))
	}
	for _, slice := range s.slices {
		words = append(words, slice.bits.words...)
	}
	return appendFilter(nil, h, words), nil
}

// UnmarshalBinary replaces the filter by the one that b encodes; it goes on growing as that would have. It copies, so b
// may be used again. On an error, a *FormatError as from Parse, the filter is unchanged.
func (s *Scalable) UnmarshalBinary(b []byte) error {
	h, payload, err := readStandalone(b, FamilyScalable)
	if err != nil {
		return err
	}
	if h.isZeroValue() {
		*s = Scalable{added: int(h.Keys)}
		return nil
	}
	count := h.Params[0]
	if count == 0 || len(payload) < scalableHeadSize || count > (uint64(len(payload))-scalableHeadSize)/sliceEntrySize {
		return damaged(offParams, "%d slices, the payload has %d bytes", count, len(payload))
	}
	for i := 1; i < numParams; i++ {
		if err := h.checkParam(i, "unused parameter", 0); err != nil {
			return err
		}
	}
	if err := checkPayload(&h, payload); err != nil {
		return err
	}
	read := Scalable{added: int(h.Keys)}
	if err := read.parseHead(payload); err != nil {
		return err
	}
	if err := read.parseSlices(payload, int(count)); err != nil {
		return err
	}
	*s = read
	return nil
}

// parseHead decodes what the payload begins with: the rate and the growth.
func (s *Scalable) parseHead(payload []byte) error {
	number := func(i int) float64 {
		return math.Float64frombits(binary.LittleEndian.Uint64(payload[i*wordBytes:]))
	}
	s.rate, s.growth = number(0), Growth{number(1), number(2)}
	if err := checkRate(s.rate); err != nil {
		return damaged(headerSize, "%v", err)
	}
	if err := s.growth.validate(); err != nil {
		return damaged(headerSize+wordBytes, "%v", err)
	}
	return nil
}

// parseSlices decodes the entries of the slices, which follow the head, and their bits, which follow the entries.
func (s *Scalable) parseSlices(payload []byte, count int) error {
	entries := payload[scalableHeadSize:]
	rest := entries[count*sliceEntrySize:]
	for i := range count {
		entry := decodeWords(entries[i*sliceEntrySize:][:sliceEntrySize])
		slice := scalableSlice{capacity: entry[0], room: entry[1]}
		m, probes := entry[2], entry[3]
		at := headerSize + scalableHeadSize + int64(i)*sliceEntrySize
		if m == 0 || m > maxBits || wordsFor(m)*wordBytes > uint64(len(rest)) {
			return damaged(at, "slice %d of %d bits, %d bytes are left", i, m, len(rest))
		}
		if probes < 1 || probes > maxProbes {
			return damaged(at, "slice %d of %d probes", i, probes)
		}
		// The next slice is as large as this one says, so it must be true to its own size.
		if slice.capacity == 0 || float64(slice.capacity)*leastBitsPerKey > float64(m) {
			return damaged(at, "slice %d has %d bits for %d keys", i, m, slice.capacity)
		}
		size := wordsFor(m) * wordBytes
		slice.bits = newBitArray(decodeWords(rest[:size]), m, int(probes))
		rest = rest[size:]
		if !slice.bits.clean() {
			return damaged(int64(headerSize+len(payload)-len(rest))-wordBytes, "bits set past the last of %d", m)
		}
		slice.set = slice.bits.countSet()
		if (slice.set > 0) == (slice.room == slice.capacity) {
			return damaged(at, "slice %d has room for %d of %d keys, and %d bits set",
				i, slice.room, slice.capacity, slice.set)
		}
		s.slices = append(slices.Grow(s.slices, count), slice)
	}
	if len(rest) != 0 {
		return damaged(int64(headerSize+len(payload)-len(rest)), "%d bytes after the last slice", len(rest))
	}
	return nil
}
