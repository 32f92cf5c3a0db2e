package bloom

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRatesOfBlockedBits computes them anew.
func TestRatesOfBlockedBits(t *testing.T) {
	for b, rate := range blockedRates {
		want := 1.0
		if b > 0 {
			want = blockedRateAt(float64(b))
		}
		if math.Abs(rate/want-1) > 1e-3 {
			t.Errorf("%d bits: %g, want %.4g", b, rate, want)
		}
	}
}

// planesOf are the sizes of a filter of so many planes, of so many keys each 1.05 bits a plane.
func planesOf(planes int, keys uint64) []Step {
	steps := make([]Step, planes)
	for i := range steps {
		steps[i] = Step{Bits: uint64(i+1) * keys * 21 / 20, Rate: math.Ldexp(1, -i-1)}
	}
	return steps
}

// TestYoungBits: what is asked for where more is not worth it, and up to 20 where it is.
func TestYoungBits(t *testing.T) {
	const keys = 1_000_000 // of the others
	for _, c := range []struct {
		policy      Policy
		keys        uint64
		misses      float64
		perKey      float64 // memory
		least, most float64
	}{
		{BitsPerKey(10), 1000, 1, 10, 20, 20},
		{BitsPerKey(10), 300_000, 1, 10, 13, 15},
		{BitsPerKey(10), keys, 1, 10, 11, 12}, // and the others 9: planes let less through for the same memory
		{BitsPerKey(10), 30 * keys, 1, 10, 10, 10},
		{BitsPerKey(10), 30_000, 0.001, 10, 10, 10}, // who is hardly asked
		{BitsPerKey(10), 30_000, 0, 10, 10, 10},
		{BitsPerKey(10), 30_000, 1, 2, 10, 10}, // who finds hardly any memory
		{BitsPerKey(10), 1000, 1, 0, 10, 10},
		{BitsPerKey(10.5), 1000, 1, 10, 19.5, 19.5},
		{BitsPerKey(4), 30_000, 1, 4, 10, 12},
		{BitsPerKey(30), 1000, 1, 30, 30, 30},
		{Ribbon(10), 1000, 1, 10, 0, 0},
		{Blocked(10), 1000, 1, 10, 0, 0},
		{None, 1000, 1, 10, 0, 0},
	} {
		others := slices.Repeat([]Demand{{0.01, planesOf(16, keys/100)}}, 100) // a level of them
		memory := uint64(c.perKey * float64(keys+c.keys))
		const whole = 50_000_000 // of a filter that cannot be divided: it is as if neither it nor its memory were there
		others, memory = append(others, Demand{Misses: 1}, Demand{1, []Step{{Bits: whole, Rate: 0.01}}}), memory+whole
		bits := YoungBits(c.policy, c.keys, c.misses, others, memory)
		if bits < c.least || bits > c.most {
			t.Errorf("%v, %d keys that are missed %g times, %g bits a key: %g, want %g to %g",
				c.policy, c.keys, c.misses, c.perKey, bits, c.least, c.most)
		}
	}
}

// TestYoungBitsWasteLeast: no other number of bits makes fewer wasted reads of the whole, within half a percent.
func TestYoungBitsWasteLeast(t *testing.T) {
	others := []Demand{{1, planesOf(16, 2000)}, {1, planesOf(16, 30_000)}, {1, planesOf(16, 400_000)}}
	for _, keys := range []uint64{200, 5000, 50_000, 400_000} {
		memory := 10 * (432_000 + keys)
		wasted := func(bits float64) float64 {
			sum := blockedRates[int(bits)]
			for i, n := range AllocateSteps(others, memory-uint64(bits*float64(keys))) {
				sum += others[i].Misses * math.Ldexp(1, -n)
			}
			return sum
		}
		bits := YoungBits(BitsPerKey(10), keys, 1, others, memory)
		for other := 10.0; other <= 20; other++ {
			if wasted(bits) > 1.005*wasted(other) && math.Abs(other-bits) > 1 {
				t.Errorf("%d keys: %g wasted reads at %g bits, %g at %g", keys, wasted(bits), bits, wasted(other), other)
			}
		}
	}
}

// TestYoungFilters: BitsPerKey gives young tables, and no others, the bits that the plan has for them; Sizes foretells it.
func TestYoungFilters(t *testing.T) {
	const keys = 3000
	hashes := randomHashes(rand.New(rand.NewPCG(1, 0)), keys)
	for _, c := range []struct {
		policy Policy
		place  Place
		family Family
		bits   float64
	}{
		{BitsPerKey(10), Place{Reason: ReasonFlush}, FamilyBlocked, 10},
		{BitsPerKey(10), Place{Reason: ReasonFlush, Bits: 16.5}, FamilyBlocked, 16.5},
		{BitsPerKey(10), Place{Reason: ReasonRecovery, Bits: 8}, FamilyBlocked, 10},
		{BitsPerKey(10), Place{Level: 6, Reason: ReasonCompaction, Bits: 20}, FamilyRibbon, 10},
		{Blocked(10), Place{Reason: ReasonFlush, Bits: 20}, FamilyBlocked, 10},
		{Ribbon(10), Place{Reason: ReasonFlush, Bits: 20}, FamilyRibbon, 10},
	} {
		b := c.policy.Builder(c.place)
		for _, h := range hashes {
			b.Add(h)
		}
		bytes, err := b.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		f := parse(t, bytes)
		checkKeys(t, f, hashes)
		if f.Family() != c.family || f.AskedBitsPerKey() != c.bits {
			t.Errorf("%v at %+v: %v of %g bits, want %v of %g", c.policy, c.place, f.Family(), f.AskedBitsPerKey(), c.family, c.bits)
		}
		if family, steps := Sizes(c.policy, c.place, keys); family != c.family || steps[len(steps)-1].Bits != f.Bits() {
			t.Errorf("%v at %+v: foretold %v %v, built %d bits", c.policy, c.place, family, steps, f.Bits())
		}
	}
}
