package bench

import (
	"math"
	"slices"
)

// z95 is the normal quantile of a two-sided 95 % interval.
const z95 = 1.959963984540054

// wilson gives the 95 % interval of a share of which hits of trials were seen (Wilson: Probable inference, the law of
// succession, and statistical inference, 1927). Without trials it is 0 to 1.
func wilson(hits, trials int64) (low, high float64) {
	if trials == 0 {
		return 0, 1
	}
	n := float64(trials)
	p := float64(hits) / n
	centre := p + z95*z95/(2*n)
	half := z95 * math.Sqrt(p*(1-p)/n+z95*z95/(4*n*n))
	scale := 1 + z95*z95/n
	return max(0, (centre-half)/scale), min(1, (centre+half)/scale)
}

// band is the least and most hits that theory lets pass: 4 standard deviations about the expectation, which
// chance leaves once in 16,000 times.
type band struct{ low, high float64 }

// acceptance gives the band for probes of a filter set whose expected rate is p and whose true rate strays from p,
// from one building to the next, with the standard deviation spread (both shares of 1). Where fewer than 100 hits are
// expected the normal law is poor: then there is no lower bound, and the upper one has the first Cornish-Fisher term
// for a Poisson count, (z²-1)/6 (Cornish, Fisher: Moments and cumulants in the specification of distributions, 1938).
func acceptance(probes int64, p, spread float64) band {
	const z = 4
	n := float64(probes)
	expected := n * p
	sigma := n * math.Sqrt(p*(1-p)/n+spread*spread)
	b := band{low: expected - z*sigma, high: expected + z*sigma + (z*z-1)/6.}
	if expected < 100 {
		b.low = 0
	}
	return b
}

func (b band) holds(hits int64) bool { return float64(hits) >= b.low && float64(hits) <= b.high }

// relativeSpread is the standard deviation, as a part of the rate, of the rates of filters of one family, size and
// number of keys, which differ by where their keys happen to fall.
//
// For the textbook Bloom filter it is the spread of the share of bits set, k/(1-e^-λ)·√((e^-λ-(1+λ)e^-2λ)/m) with
// λ = k/bits, from the variance of empty bins (Weiss: Limiting distributions in some occupancy problems, 1958). For the
// blocked one it is a curve through measurements at 10,000 keys, 1.7 % at 10 bits and 4.1 % at 16. Families that keep
// fingerprints have none.
func relativeSpread(family string, bits float64, keys uint64) float64 {
	if keys == 0 || bits <= 0 {
		return 0
	}
	n := float64(keys)
	switch family {
	case "classic":
		k := max(1, math.Round(bits*math.Ln2))
		lambda := k / bits
		unset := math.Exp(-lambda)
		return k / (1 - unset) * math.Sqrt((unset-(1+lambda)*unset*unset)/(n*bits))
	case "blocked":
		return 0.017 * math.Pow(4.1/1.7, (bits-10)/6) * math.Sqrt(1e4/n)
	}
	return 0
}

// median of values; 0 without values.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}
