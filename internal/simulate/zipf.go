package simulate

import (
	"math"
	"math/rand/v2"
)

// mostZipf is the largest exponent.
const mostZipf = 4

// zipf draws from 0 to n-1, i with a likelihood in proportion to (i+1)^-s, by rejection-inversion (Hörmann and
// Derflinger: Rejection-inversion to generate variates from monotone discrete distributions, 1996): no table, whatever
// n and s are.
type zipf struct {
	n, s      float64
	low, high float64 // of the integral
	sure      float64 // at most so far below a whole number, a draw needs no look
}

func newZipf(n int, s float64) *zipf {
	z := &zipf{n: float64(n), s: s}
	z.low = z.integral(1.5) - 1
	z.high = z.integral(z.n + 0.5)
	z.sure = 2 - z.inverse(z.integral(2.5)-math.Pow(2, -s))
	return z
}

// integral is that of x^-s from 1.
func (z *zipf) integral(x float64) float64 {
	if z.s == 1 {
		return math.Log(x)
	}
	return (math.Pow(x, 1-z.s) - 1) / (1 - z.s)
}

// inverse is the x whose integral is y.
func (z *zipf) inverse(y float64) float64 {
	if z.s == 1 {
		return math.Exp(y)
	}
	return math.Pow(1+y*(1-z.s), 1/(1-z.s))
}

func (z *zipf) draw(rng *rand.Rand) int {
	for {
		y := z.high + rng.Float64()*(z.low-z.high)
		x := z.inverse(y)
		k := min(z.n, max(1, math.Round(x)))
		if k-x <= z.sure || y >= z.integral(k+0.5)-math.Pow(k, -z.s) {
			return int(k) - 1
		}
	}
}
