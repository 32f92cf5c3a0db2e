package bloom

const (
	counterBits = 4
	// counterTop is where a counter stops.
	counterTop = 1<<counterBits - 1

	countersPerWord = wordBits / counterBits

	// halved clears the bit of each counter that a shift by one brings over from its neighbour.
	halved = 0x7777777777777777
)

// counters are numbers of four bits, sixteen a word from the lowest bits on.
type counters []uint64

// at is the counter at place p.
func (c counters) at(p uint64) uint64 {
	return c[p/countersPerWord] >> (p % countersPerWord * counterBits) & counterTop
}

// up adds one to the counter at place p, which is not at the top.
func (c counters) up(p uint64) { c[p/countersPerWord] += 1 << (p % countersPerWord * counterBits) }

// down takes one from the counter at place p, which is not 0.
func (c counters) down(p uint64) { c[p/countersPerWord] -= 1 << (p % countersPerWord * counterBits) }

// halve halves all counters, rounding down.
func (c counters) halve() {
	for i := range c {
		c[i] = c[i] >> 1 & halved
	}
}
