package bloom

import (
	"math"
	"strconv"
)

// Policy decides which filter a new table gets. It rules the writing only: tables that are there keep their filters,
// and each filter's own header says how it is read. A Policy never changes; any number of goroutines may use it.
type Policy interface {
	// String is the policy as metrics and properties print it: "bits per key 10", "blocked 10", "rate 0.01", "none".
	String() string
	// Validate says whether the policy's number is inside its domain; if not, with a *ParameterError.
	Validate() error
	// Builder starts the filter of one table. It is nil where the table gets none, and for a policy that is not valid.
	Builder(p Place) Builder
	// AskedBits is the bits per key asked for, on average over the store's keys; 0 for None. For ForRate it is what the
	// rate works out to.
	AskedBits() float64
}

// None gives no table a filter.
var None Policy = none{}

// BitsPerKey gives each table the family that suits it best, at so many bits per key: more than 0, up to 64. 0 bits are
// no filter, the same as None. Young tables (flushed, recovered, of level 0) are Blocked, which is quick to build, of
// as many bits as Place.Bits says, since they hold few keys and are asked as often as large levels; older ones are
// Ribbon, which can grow and shrink while the store runs.
func BitsPerKey(bits float64) Policy { return elastic("bits per key", FamilyBlocked, bits) }

// Classic gives each table a textbook Bloom filter; bits as for BitsPerKey.
func Classic(bits float64) Policy { return perKey("classic", FamilyClassic, bits) }

// Blocked gives each table a Bloom filter whose probe is one cache line; bits as for BitsPerKey. It costs a little at
// 10 bits and much above 16: at 20, three times as many false positives as Classic.
func Blocked(bits float64) Policy { return perKey("blocked", FamilyBlocked, bits) }

// Fuse gives each table a binary fuse filter: fingerprints of as many whole bits as fit into the bits asked for, at
// 1.13 slots a key in large tables; bits as for BitsPerKey. Tables of fewer than 1000 keys, and bits that do not pay
// for a fingerprint of one bit, get a Classic filter.
func Fuse(bits float64) Policy { return perKey("fuse", FamilyFuse, bits) }

// Cuckoo gives each table a cuckoo filter; bits as for BitsPerKey. Tables of fewer than 500 keys, and fewer than 6
// bits, get a Classic filter. It is smaller than Classic only below a rate of 0.4 %, at 12 bits, and never
// smaller than Fuse.
func Cuckoo(bits float64) Policy { return perKey("cuckoo", FamilyCuckoo, bits) }

// ForRate gives each table the bits at which it answers maybe for a share falsePositives of absent keys, or fewer. The
// share is a fraction, not a percentage: 1e-12 or more, and less than 1. Tables of fewer than 10 000 keys may exceed
// shares below 1e-3; their ExpectedRate says by how much.
func ForRate(falsePositives float64) Policy { return newForRate(falsePositives) }

type none struct{}

func (none) String() string        { return "none" }
func (none) Validate() error       { return nil }
func (none) Builder(Place) Builder { return nil }
func (none) AskedBits() float64    { return 0 }

// fixed asks for the same family and bits at every place.
type fixed struct {
	label  string
	family Family
	bits   float64
}

func perKey(label string, family Family, bits float64) Policy {
	if bits == 0 {
		return None
	}
	return fixed{label, family, bits}
}

func (p fixed) String() string     { return p.label + " " + strconv.FormatFloat(p.bits, 'g', -1, 64) }
func (p fixed) AskedBits() float64 { return p.bits }

func (p fixed) Validate() error { return checkBitsPerKey(p.bits) }

// checkBitsPerKey refuses bits outside their domain; 0 is None and never gets here.
func checkBitsPerKey(bits float64) error {
	if bits > 0 && bits <= maxBitsPerKey {
		return nil
	}
	return &ParameterError{Name: "bits per key", Value: bits, Allowed: "0 for no filter, or more than 0, up to 64"}
}

func (p fixed) Builder(Place) Builder {
	if p.Validate() != nil {
		return nil
	}
	family, _ := familyOf(p.family)
	return family.build(p.bits)
}

// lowestRate is the lowest share that ForRate and New take. Below it maxBitsPerKey bits and maxProbes probes do not
// reach.
const lowestRate = 1e-12

// checkRate refuses shares outside their domain, percentages among them.
func checkRate(p float64) error {
	if p >= lowestRate && p < 1 {
		return nil
	}
	return &ParameterError{Name: "rate of false positives", Value: p,
		Allowed: "a fraction of at least 1e-12 and less than 1"}
}

// forRate is a policy fixed to what a rate works out to.
type forRate struct {
	rate float64
	fixed
}

func newForRate(rate float64) Policy {
	p := forRate{rate: rate}
	if p.Validate() == nil {
		p.family, p.bits = bitsForRate(rate)
	}
	return p
}

func (p forRate) String() string  { return "rate " + strconv.FormatFloat(p.rate, 'g', -1, 64) }
func (p forRate) Validate() error { return checkRate(p.rate) }

func (p forRate) Builder(place Place) Builder {
	if p.Validate() != nil {
		return nil
	}
	return p.fixed.Builder(place)
}

const (
	// blockedPays is the bits per key above which lines flatten out and ForRate turns to the classic family.
	blockedPays = 16

	// stepsPerBit is the grain of ForRate's answer: bits are rounded up to a hundredth.
	stepsPerBit = 100
)

// bitsForRate finds the family and the fewest bits per key that keep a table of many keys at the rate or below.
func bitsForRate(rate float64) (Family, float64) {
	if blockedRateAt(blockedPays) > rate {
		return FamilyClassic, roundUp(classicBitsFor(rate))
	}
	low, high := 0, blockedPays*stepsPerBit // in steps; high is enough
	for high-low > 1 {
		middle := (low + high) / 2
		if blockedRateAt(float64(middle)/stepsPerBit) <= rate {
			high = middle
		} else {
			low = middle
		}
	}
	return FamilyBlocked, float64(high) / stepsPerBit
}

// blockedRateAt is the rate of a blocked filter of many lines.
func blockedRateAt(bitsPerKey float64) float64 {
	const lines = 1 << 20
	return BlockedRate(lines, uint64(lines*lineBits/bitsPerKey), blockedProbes(bitsPerKey))
}

// classicBitsFor inverts (1 - e^(-k/b))^k for the whole k that needs the fewest bits b.
func classicBitsFor(rate float64) float64 {
	fewest := math.Inf(1)
	for k := 1; k <= maxProbes; k++ {
		fill := math.Pow(rate, 1/float64(k))
		fewest = math.Min(fewest, -float64(k)/math.Log1p(-fill))
	}
	return fewest
}

func roundUp(bits float64) float64 { return math.Ceil(bits*stepsPerBit) / stepsPerBit }
