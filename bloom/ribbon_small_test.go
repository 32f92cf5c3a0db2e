package bloom

import (
	"math/rand/v2"
	"testing"
)

// TestSmallTablesAboveTheBottom: a table too small for planes gets a filter that cannot grow, so that it is large from the
// start where tables deserve more than the average.
func TestSmallTablesAboveTheBottom(t *testing.T) {
	const keys = ribbonLeast - 1
	for _, test := range []struct {
		policy Policy
		place  Place
		want   float64
	}{
		{Ribbon(10), Place{Level: 6, Bottommost: true, Reason: ReasonCompaction}, 10},
		{Ribbon(10), Place{Level: 5, Reason: ReasonCompaction}, 16.8},
		{BitsPerKey(10), Place{Level: 5, Reason: ReasonCompaction}, 16.8},
		{Ribbon(20), Place{Level: 5, Reason: ReasonCompaction}, 20},
		{Ribbon(10), Place{Level: 0, Reason: ReasonFlush}, 10},
	} {
		b := test.policy.Builder(test.place)
		for _, h := range randomHashes(rand.New(rand.NewPCG(1, 0)), keys) {
			b.Add(h)
		}
		bytes, err := b.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		f, err := Parse(bytes)
		if err != nil {
			t.Fatal(err)
		}
		if f.Family() != FamilyClassic || f.AskedBitsPerKey() != test.want {
			t.Errorf("%v at %+v: %v of %g bits, want classic of %g", test.policy, test.place, f.Family(), f.AskedBitsPerKey(), test.want)
		}
		if _, steps := Sizes(test.policy, test.place, keys); len(steps) != 1 || steps[0].Bits != f.Bits() {
			t.Errorf("%v at %+v: %d bits, foretold %v", test.policy, test.place, f.Bits(), steps)
		}
	}
}
