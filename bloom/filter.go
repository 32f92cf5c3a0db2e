package bloom

import "sync"

// TableFilter answers for one table. It was parsed and checked once, so a probe is arithmetic: it cannot fail and
// does not allocate. A TableFilter never changes; any number of goroutines may use it.
type TableFilter interface {
	// MayContain reports false only when no key with this hash is in the table. True means maybe.
	MayContain(h Hash) bool
	// Family is the kind of filter.
	Family() Family
	// Keys is the number of distinct keys it was built from.
	Keys() uint64
	// Bits is its size in memory: the bits of the resident payload, whole words.
	Bits() uint64
	// AskedBitsPerKey is what the policy asked for when the table was built; Bits over Keys is what it came to.
	AskedBitsPerKey() float64
	// ExpectedRate is the share of absent keys that it answers with maybe, by theory, for its true size, keys and
	// probes.
	ExpectedRate() float64
}

// facts is the part of a TableFilter that is not probed.
type facts struct {
	family Family
	keys   uint64
	bits   uint64
	asked  float64
	rate   func() float64
}

// newFacts keeps what a header says. The rate is computed at its first use and then kept: most tables are opened,
// read and closed without anyone asking for it.
func newFacts(h *Header, rate func() float64) facts {
	return facts{
		family: h.Family,
		keys:   h.Keys,
		bits:   h.PayloadBytes * 8,
		asked:  h.AskedBits,
		rate:   sync.OnceValue(rate),
	}
}

func (f *facts) Family() Family           { return f.family }
func (f *facts) Keys() uint64             { return f.keys }
func (f *facts) Bits() uint64             { return f.bits }
func (f *facts) AskedBitsPerKey() float64 { return f.asked }
func (f *facts) ExpectedRate() float64    { return f.rate() }

// empty is the filter of a table without keys, of whatever family: it knows that nothing is there, and has no bits to
// take a remainder by.
type empty struct{ facts }

func newEmpty(h *Header) *empty {
	return &empty{newFacts(h, func() float64 { return 0 })}
}

// MayContain is always false.
func (*empty) MayContain(Hash) bool { return false }
