package bloom

import "math/big"

// precision of the exact formulas in bits. Their alternating sums lose up to 30 bits to the binomials and 60 to the
// smallness of what is left.
const precision = 192

// exactRate is the rate of m bits, n keys, k probes without the assumption that bits are independent.
func exactRate(m, n uint64, k int) float64 {
	// Past 64 keys a bit all bits are set for any purpose; the bound keeps the exponent small.
	if n > 64*m {
		return 1
	}
	return hitRate(m, k, func(r uint64) *big.Float {
		return power(ratio(m-r, m), n*uint64(k))
	})
}

// exactBlockedRate is the rate of q probes into a line of a blocked filter that was built with k probes a key. With
// q = k that is its false positives; q = 2k gives the second moment over lines, hence the spread between filters.
func exactBlockedRate(lines, n uint64, k, q int) float64 {
	one := ratio(1, 1)
	return hitRate(lineBits, q, func(r uint64) *big.Float {
		// A key leaves r bits of a line clear unless it falls into the line and its k probes meet one of them.
		meets := new(big.Float).Sub(one, power(ratio(lineBits-r, lineBits), uint64(k)))
		meets.Quo(meets, ratio(lines, 1))
		return power(meets.Sub(one, meets), n)
	})
}

// hitRate is the probability that q independent probes into m bits all find their bit set, where clear(r) is the
// probability that r given bits are all clear:
//
//	sum over d of P(the q probes fall on d different bits) * P(d given bits are all set)
//
// The second factor is the sum over r of (-1)^r C(d,r) clear(r), by inclusion and exclusion: the d-th
// difference of clear.
func hitRate(m uint64, q int, clear func(r uint64) *big.Float) float64 {
	most := int(min(uint64(q), m))
	difference := make([]*big.Float, most+1)
	for r := range difference {
		difference[r] = clear(uint64(r))
	}
	different := differentBits(m, q)
	rate := 0.0
	for d := 1; d <= most; d++ {
		for r := 0; r <= most-d; r++ {
			difference[r].Sub(difference[r], difference[r+1])
		}
		allSet, _ := difference[0].Float64()
		rate += different[d] * allSet
	}
	return min(max(rate, 0), 1)
}

// differentBits gives for each d the probability that q probes into m bits fall on d different bits.
func differentBits(m uint64, q int) []float64 {
	p := make([]float64, q+1)
	p[0] = 1
	for probe := 1; probe <= q; probe++ {
		for d := probe; d > 0; d-- {
			again := float64(d) / float64(m)
			first := max(0, 1-float64(d-1)/float64(m))
			p[d] = p[d]*again + p[d-1]*first
		}
		p[0] = 0
	}
	return p
}

func ratio(a, b uint64) *big.Float {
	x := new(big.Float).SetPrec(precision).SetUint64(a)
	return x.Quo(x, new(big.Float).SetPrec(precision).SetUint64(b))
}

// power is x^n by repeated squaring.
func power(x *big.Float, n uint64) *big.Float {
	result := ratio(1, 1)
	square := new(big.Float).Copy(x)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			result.Mul(result, square)
		}
		square.Mul(square, square)
	}
	return result
}
