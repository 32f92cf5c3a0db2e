package bench

import "math/bits"

// permutation is a pseudorandom order of 0 … n-1 that takes no memory: a Feistel network over the next even number of
// bits, walked until it lands inside (Black, Rogaway: Ciphers with arbitrary finite domains, 2002).
type permutation struct {
	n    uint64
	half uint // bits of each half
	seed uint64
}

const feistelRounds = 4

// newPermutation makes an order of 0 … n-1 from seed. n is 0 or more.
func newPermutation(n int, seed uint64) permutation {
	width := uint(bits.Len64(uint64(max(n-1, 1))))
	return permutation{n: uint64(n), half: (width + 1) / 2, seed: seed}
}

// at is the i-th number of the order, 0 <= i < n.
func (p permutation) at(i int) int {
	x := p.encrypt(uint64(i))
	for x >= p.n {
		x = p.encrypt(x)
	}
	return int(x)
}

func (p permutation) encrypt(x uint64) uint64 {
	mask := uint64(1)<<p.half - 1
	left, right := x>>p.half, x&mask
	for round := range uint64(feistelRounds) {
		left, right = right, left^(mix(p.seed+round, right)&mask)
	}
	return left<<p.half | right
}
