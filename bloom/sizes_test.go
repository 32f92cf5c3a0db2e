package bloom

import (
	"math"
	"testing"
)

// TestSizesAreThoseOfWhatIsBuilt: what Sizes foretells is what a filter that is built then has.
func TestSizesAreThoseOfWhatIsBuilt(t *testing.T) {
	young, old := Place{Reason: ReasonFlush}, Place{Level: 5, Reason: ReasonCompaction}
	last := Place{Level: 6, Bottommost: true, Reason: ReasonCompaction}
	for _, policy := range []Policy{Classic(10), Blocked(7.3), Ribbon(8), BitsPerKey(12), ForRate(0.01), ForRate(1e-5), Fuse(10), Fuse(1), Cuckoo(12), Cuckoo(4)} {
		for _, place := range []Place{young, old, last} {
			for _, keys := range []int{1, 100, ribbonLeast - 1, ribbonLeast, 2000, 30_000} {
				family, steps := Sizes(policy, place, uint64(keys))
				b := policy.Builder(place)
				for _, h := range keySets()[0].hashes(0, keys) {
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
				planes := 1
				if e, ok := f.(*Elastic); ok {
					planes = e.Planes()
				}
				if family != f.Family() || len(steps) != planes {
					t.Fatalf("%v at %+v, %d keys: %v in %d steps, built %v in %d", policy, place, keys, family, len(steps), f.Family(), planes)
				}
				tolerance := 1e-9
				if family == FamilyCuckoo {
					tolerance = 0.01 // keys that cannot be told apart are not known beforehand
				}
				if all := steps[planes-1]; all.Bits != f.Bits() || math.Abs(all.Rate/f.ExpectedRate()-1) > tolerance {
					t.Errorf("%v at %+v, %d keys: %+v, built %d bits with rate %g", policy, place, keys, all, f.Bits(), f.ExpectedRate())
				}
			}
		}
	}
}

// TestSizesOfManyKeys: parts of a ribbon cost a slot's width each, and a store's worth of keys is no trouble.
func TestSizesOfManyKeys(t *testing.T) {
	place := Place{Level: 6, Bottommost: true, Reason: ReasonCompaction}
	const keys = 1_000_000_000 // at 11 planes or 10 bits as much as a 32-bit machine can be asked for
	for policy, want := range map[Policy]Step{
		Ribbon(7):   {Bits: 11 * 1.05e9, Rate: 1.0 / (1 << 11)}, // 7 bits pay for 7 planes, and 4 are spare
		Classic(10): {Bits: 10e9, Rate: 0.008194},
		Blocked(10): {Bits: 10e9, Rate: 0.009665},
	} {
		_, steps := Sizes(policy, place, keys)
		got := steps[len(steps)-1]
		if math.Abs(float64(got.Bits)/float64(want.Bits)-1) > 1e-3 || math.Abs(got.Rate/want.Rate-1) > 1e-3 {
			t.Errorf("%v: %+v, want %+v", policy, got, want)
		}
	}
}

// TestSizesOfNothing: no keys, no bits and no policy of this package are no filter.
func TestSizesOfNothing(t *testing.T) {
	for name, steps := range map[string][]Step{
		"none":    second(Sizes(None, Place{}, 100)),
		"no keys": second(Sizes(Classic(10), Place{}, 0)),
		"invalid": second(Sizes(Classic(1000), Place{}, 100)),
		"foreign": second(Sizes(foreign{None}, Place{}, 100)),
	} {
		if steps != nil {
			t.Errorf("%s: %v", name, steps)
		}
	}
}

func second[A, B any](_ A, b B) B { return b }

// foreign is a policy from elsewhere.
type foreign struct{ Policy }

func (foreign) Builder(Place) Builder { return struct{ Builder }{} }
