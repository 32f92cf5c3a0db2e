package bloom

import "math"

const (
	// maxProbes bounds the probes of Bloom's filter: 30 are best at 43 bits per key, for one in a billion.
	maxProbes = 30

	// exactLimit is the size in bits up to which Rate takes the exact formula; there the usual one is low by 0.2 %,
	// and by more the smaller the filter.
	exactLimit = 4096
)

// OptimalBits is the number of bits at which a Bloom filter of n keys answers maybe for a share p of absent keys, given
// its best number of probes: -n ln p / (ln 2)^2, rounded up (Bloom, 1970; Mitzenmacher and Upfal, 2005, section 5.5).
// It is 0 for no keys and for a p that is not between 0 and 1, and the largest number where the bits do not fit.
func OptimalBits(n uint64, p float64) uint64 {
	if n == 0 || !(p > 0 && p < 1) {
		return 0
	}
	m := math.Ceil(-float64(n) * math.Log(p) / (math.Ln2 * math.Ln2))
	if m >= math.MaxUint64 {
		return math.MaxUint64
	}
	return max(1, uint64(m))
}

// OptimalProbes is the number of probes at which a Bloom filter of m bits and n keys has its lowest rate: m/n ln 2 to
// the nearest whole number, never below 1 nor above 30. It is probes, not bits per key: the two differ by 1/ln 2.
func OptimalProbes(m, n uint64) int {
	if n == 0 {
		return 1
	}
	k := math.Round(float64(m) / float64(n) * math.Ln2)
	return int(min(max(k, 1), maxProbes))
}

// Rate is the expected share of absent keys for which a Bloom filter of m bits, n keys and k independent probes says
// maybe: (1 - e^(-kn/m))^k, and for small filters, where that is too low, the exact value (Bose and others, 2008;
// Christensen, Roginsky and Jimeno, 2010). Without keys it is 0; without bits or probes it is 1.
func Rate(m, n uint64, k int) float64 {
	if n == 0 {
		return 0
	}
	if m == 0 || k < 1 {
		return 1
	}
	if m <= exactLimit {
		return exactRate(m, n, k)
	}
	return math.Pow(fill(m, n, k), float64(k))
}

// fill is the share of bits that are set after n keys: 1 - e^(-kn/m).
func fill(m, n uint64, k int) float64 {
	return -math.Expm1(-float64(k) * float64(n) / float64(m))
}

// doubleHashingExcess is what k probes in arithmetic progression add to the rate of k independent ones, in a filter of
// m bits of which a share fill is set. A step near a simple fraction of the whole, the empty key's step of 0 among
// them, meets only q different places; summed over all fractions (Lambert's series over Euler's function) that gives
// fill/(1-fill)^2 times a constant over k m. The constant is measured: within a tenth for 4 to 43 bits per key, 20 to
// 10 000 keys. One probe or two are independent. It is what makes small filters of many bits per key worse than
// their formula (Dillinger and Manolios, 2004): at 16 bits, a third at 100 keys, and 3 % at 1000.
func doubleHashingExcess(m uint64, k int, fill float64) float64 {
	constant := math.Min(3, float64(k-2)/2) / 2
	if constant <= 0 || fill >= 1 {
		return 0
	}
	return constant * fill / ((1 - fill) * (1 - fill)) / (float64(k) * float64(m))
}

// classicRate is the expected rate of this package's classic filters: Rate, and what their double hashing adds.
func classicRate(m, n uint64, k int) float64 {
	return math.Min(1, Rate(m, n, k)+doubleHashingExcess(m, k, fill(m, n, k)))
}

// BlockedRate is the expected share of absent keys for which a blocked filter of that many 512-bit lines, n keys and k
// probes says maybe: the exact rate of a 512-bit filter, mixed over the number of keys that fall into a line (Putze,
// Sanders and Singler, 2007; with the binomial distribution itself, of which Poisson's is the limit for many lines).
// Without keys it is 0; without lines or probes it is 1.
func BlockedRate(lines, n uint64, k int) float64 {
	if n == 0 {
		return 0
	}
	if lines == 0 || k < 1 {
		return 1
	}
	return exactBlockedRate(lines, n, k, k)
}

// BlockedProbes is the number of probes at which a blocked filter of that many lines and n keys has its lowest rate: by
// the exact theory, not bits per key times ln 2, which crowded lines make too many. Never below 1 nor above 16.
func BlockedProbes(lines, n uint64) int {
	if n == 0 {
		return 1
	}
	return blockedProbes(lineBits * float64(lines) / float64(n))
}
