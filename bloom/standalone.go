package bloom

import "math"

// Filter is a Bloom filter that stands alone: a set of keys of which it remembers enough to say surely not, or maybe.
// Keys cannot be taken out. The zero Filter is there to be filled by UnmarshalBinary; it answers maybe to everything
// once a key is added.
//
// Add and UnmarshalBinary must not run beside any other call. The other methods may run in any number of goroutines.
type Filter struct {
	bits  bitArray
	added int
	set   uint64 // bits that are set
}

// smallestGuess is the number of keys New makes room for when it is told 0: that caller does not know.
const smallestGuess = 1024

// New makes a Filter that answers maybe for a share falsePositives of absent keys, within 1 %, once n keys are in it.
// The share is a fraction of at least 1e-12 and less than 1. An n of 0 means that nobody knows, and makes room for
// 1024. More keys than n may be added: the rate rises, 16 times at twice n for 1 %; EstimatedRate follows it. Errors
// are *ParameterError, for a size beyond 2^40 bits, too.
func New(n int, falsePositives float64) (*Filter, error) {
	keys, err := checkStandalone(n, falsePositives)
	if err != nil {
		return nil, err
	}
	m, probes := standaloneSize(keys, falsePositives)
	if err := checkSize(float64(m)); err != nil {
		return nil, err
	}
	return &Filter{bits: newBitArray(make([]uint64, wordsFor(m)), m, probes)}, nil
}

// standaloneSize is the textbook's size, and for small filters as much more as double hashing and the formula's error
// there cost: without it 100 keys at 1e-4 would come to 2.5e-4.
func standaloneSize(n uint64, p float64) (m uint64, probes int) {
	const tolerance, growth = 1.01, 64
	m = odd(OptimalBits(n, p))
	probes = OptimalProbes(m, n)
	for m <= maxBits && classicRate(m, n, probes) > p*tolerance {
		m = odd(m + m/growth + 1)
		probes = OptimalProbes(m, n)
	}
	return m, probes
}

// Add puts a key in. It does not keep the slice.
func (f *Filter) Add(key []byte) {
	f.added++
	if f.bits.m > 0 {
		f.set += f.bits.add(Sum(key))
	}
}

// MayContain reports false only when the key was never added. True means maybe.
func (f *Filter) MayContain(key []byte) bool {
	if f.bits.m == 0 {
		return f.added > 0
	}
	return f.bits.MayContain(Sum(key))
}

// Len is the number of calls of Add; a key added twice counts twice.
func (f *Filter) Len() int { return f.added }

// EstimatedRate is the share of absent keys that get a maybe now, judged by the bits that are set, so it stays right
// with more keys than planned and with keys added twice.
func (f *Filter) EstimatedRate() float64 {
	if f.bits.m == 0 {
		return min(1, float64(f.added))
	}
	return f.bits.rateAt(f.set)
}

// MarshalBinary encodes the filter, header, payload and checksums, into new bytes. It never fails.
func (f *Filter) MarshalBinary() ([]byte, error) {
	h := Header{Family: FamilyStandalone, Keys: uint64(f.added)}
	h.Params = [numParams]uint64{f.bits.m, uint64(f.bits.probes)}
	return appendFilter(nil, h, f.bits.words), nil
}

// UnmarshalBinary replaces the filter by the one that b encodes; keys can be added to it as before. It copies, so b may
// be used again. On an error, a *FormatError as from Parse, the filter is unchanged.
func (f *Filter) UnmarshalBinary(b []byte) error {
	h, payload, err := readStandalone(b, FamilyStandalone)
	if err != nil {
		return err
	}
	if h.isZeroValue() {
		*f = Filter{added: int(h.Keys)}
		return nil
	}
	array, err := parseBitArray(&h, payload)
	if err != nil {
		return err
	}
	read := Filter{bits: array, added: int(h.Keys), set: array.countSet()}
	if (read.set == 0) != (h.Keys == 0) || read.set/uint64(array.probes) > h.Keys {
		return damaged(offKeys, "%d keys, %d bits set", h.Keys, read.set)
	}
	*f = read
	return nil
}

// checkStandalone checks what all constructors of stand-alone filters are told, and gives the number of keys to make
// room for.
func checkStandalone(n int, falsePositives float64) (uint64, error) {
	if n < 0 {
		return 0, &ParameterError{Name: "number of keys", Value: float64(n), Allowed: "0 for unknown, or more"}
	}
	if err := checkRate(falsePositives); err != nil {
		return 0, err
	}
	if n == 0 {
		n = smallestGuess
	}
	return uint64(n), nil
}

// readStandalone decodes the header of a stand-alone filter of the family, checks what is common to all, and cuts out
// the payload.
func readStandalone(b []byte, family Family) (h Header, payload []byte, err error) {
	h, err = ReadHeader(b)
	if err != nil {
		return h, nil, err
	}
	if h.Family != family {
		return h, nil, unknown(offFamily, "%v, expected %v", h.Family, family)
	}
	if h.HashID != hashMurmur3 {
		return h, nil, unknown(offHash, "hash %d, known is %d", h.HashID, hashMurmur3)
	}
	if math.Float64bits(h.AskedBits) != 0 {
		return h, nil, damaged(offAsked, "bits per key are %g, a stand-alone filter has none", h.AskedBits)
	}
	if h.Keys > math.MaxInt {
		return h, nil, damaged(offKeys, "%d keys", h.Keys)
	}
	payload, err = h.payload(b)
	return h, payload, err
}

// isZeroValue reports whether the header is that of a filter which no constructor made.
func (h *Header) isZeroValue() bool {
	return h.Params == [numParams]uint64{} && h.PayloadBytes == 0 && h.PayloadChecksum == 0
}
