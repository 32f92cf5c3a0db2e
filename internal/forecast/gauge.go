package forecast

import (
	"math/bits"

	"siftdb/bloom"
)

// gauge tells what filters a policy makes. Tables whose keys differ by less than a two-hundredth have filters of the
// same bits per key and rate, and share one look.
type gauge struct {
	policy bloom.Policy
	known  map[like][]bloom.Step
}

// like is what tables have in common whose filters are alike.
type like struct {
	level      int
	bottommost bool
	keys       uint64  // of one table, the leading binary digits of them
	own        float64 // bits per key, see bloom.Place
}

func newGauge(policy bloom.Policy) *gauge {
	return &gauge{policy: policy, known: make(map[like][]bloom.Step)}
}

// leadingDigits is how many binary digits of a number of keys count.
const leadingDigits = 8

// steps are the sizes of a part's filters, all its tables together, where the plan has own bits per key for young ones.
func (g *gauge) steps(p Part, own float64) []bloom.Step {
	each := p.Keys / uint64(p.Tables)
	shift := max(0, bits.Len64(each)-leadingDigits)
	l := like{p.Level, p.Bottommost, max(1, each>>shift<<shift), own}
	known, ok := g.known[l]
	if !ok {
		_, known = bloom.Sizes(g.policy, l.place(), l.keys)
		g.known[l] = known
	}
	steps := make([]bloom.Step, len(known))
	scale := float64(p.Keys) / float64(l.keys)
	for i, s := range known {
		steps[i] = bloom.Step{Bits: uint64(scale * float64(s.Bits)), Rate: s.Rate}
	}
	return steps
}

// place is where the tables were built.
func (l like) place() bloom.Place {
	p := bloom.Place{Level: l.level, Bottommost: l.bottommost, Reason: bloom.ReasonCompaction, Bits: l.own}
	if l.level == 0 {
		p.Reason = bloom.ReasonFlush
	}
	return p
}
