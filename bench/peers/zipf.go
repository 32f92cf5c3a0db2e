package main

import (
	"math"
	"math/rand/v2"
)

// zipf draws ranks by Zipf's law with exponent 0.99, as YCSB does (Gray et al.: Quickly generating billion-record
// synthetic databases, 1994), and scatters them over the keys.
type zipf struct {
	n                 int
	theta, zeta, half float64
	alpha, eta        float64
}

func newZipf(n int) *zipf {
	z := &zipf{n: n, theta: 0.99}
	for i := 1; i <= n; i++ {
		z.zeta += 1 / math.Pow(float64(i), z.theta)
	}
	z.half = 1 + math.Pow(0.5, z.theta)
	z.alpha = 1 / (1 - z.theta)
	z.eta = (1 - math.Pow(2/float64(n), 1-z.theta)) / (1 - z.half/z.zeta)
	return z
}

// rank draws a rank from 0, the most frequent.
func (z *zipf) rank(rng *rand.Rand) int {
	u := rng.Float64()
	switch uz := u * z.zeta; {
	case uz < 1:
		return 0
	case uz < z.half:
		return 1
	}
	return min(z.n-1, int(float64(z.n)*math.Pow(z.eta*u-z.eta+1, z.alpha)))
}

// key draws a key: frequent ones lie all over the range.
func (z *zipf) key(rng *rand.Rand) int { return int(mix(uint64(z.rank(rng))) % uint64(z.n)) }
