package bloom

import (
	"math/rand/v2"
	"testing"
)

// checkRates holds a filter to a rate of 2^-j for each number of planes, dropping one after the other.
func checkRates(t *testing.T, name string, e *Elastic, absent []Hash) {
	t.Helper()
	for ; e.Resident() > 0; e = e.Without(e.Resident() - 1) {
		least, most := acceptable(e.ExpectedRate(), 0, len(absent))
		if hits := float64(countHits(e, absent)); hits < least || hits > most {
			t.Errorf("%s, %d planes: %g hits of %d, accepted are %.0f to %.0f", name, e.Resident(), hits, len(absent), least, most)
		}
	}
}

func TestEachPlaneHalvesTheRateForEveryShapeOfKeys(t *testing.T) {
	n, probes := 100_000, 300_000
	if quick() {
		n, probes = 20_000, 50_000
	}
	for _, set := range append(keySets(), multiples()) {
		present, absent := set.hashes(0, n), set.hashes(n, probes)
		for _, keys := range []int{ribbonLeast, n} {
			e, _ := elasticOf(t, present[:keys])
			checkKeys(t, e, present[:keys])
			checkRates(t, set.name, e, absent)
		}
	}
}

// multiples are numbers whose low digits are all the same.
func multiples() keySet {
	return keySet{"multiples of 65 536", func(i uint32) []byte {
		return []byte{0, 0, byte(i), byte(i >> 8), byte(i >> 16), byte(i >> 24), 0, 0}
	}}
}

// Any planes will do, not only the first ones.
func TestAnyPlanesOfAFilterHaveTheRateOfTheirNumber(t *testing.T) {
	const seed, probes = 17, 300_000
	r := rand.New(rand.NewPCG(seed, 0))
	hashes, absent := randomHashes(r, 20_000), randomHashes(r, probes)
	_, b := elasticOf(t, hashes)
	for range 20 {
		e := headOf(t, b)
		for _, i := range r.Perm(maxPlanes)[:1+r.IntN(6)] {
			e = with(t, e, b, i)
		}
		least, most := acceptable(e.ExpectedRate(), 0, probes)
		if hits := float64(countHits(e, absent)); hits < least || hits > most {
			t.Errorf("seed %d, %d planes: %g hits, accepted are %.0f to %.0f", seed, e.Resident(), hits, least, most)
		}
	}
}

func TestLargeRibbonsKeepTheirRates(t *testing.T) {
	if quick() {
		t.Skip("builds filters of up to ten million keys")
	}
	for _, n := range []int{1_000_000, 10_000_000} {
		r := rand.New(rand.NewPCG(18, uint64(n)))
		b := Ribbon(10).Builder(Place{})
		for range n {
			b.Add(Hash{r.Uint64(), r.Uint64()})
		}
		bytes, err := b.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		e := parse(t, bytes).(*Elastic)
		if want := (n + largestPart - 1) / largestPart; len(e.head.parts) != want {
			t.Errorf("%d parts of %d keys", len(e.head.parts), n)
		}
		if perKey := float64(e.PlaneBits()) / float64(n); perKey > 1.0504 {
			t.Errorf("%d keys: %g bits a key and plane", n, perKey)
		}
		again := rand.New(rand.NewPCG(18, uint64(n)))
		for i := range min(n, 3_000_000) {
			if !e.MayContain(Hash{again.Uint64(), again.Uint64()}) {
				t.Fatalf("key %d of %d is denied", i, n)
			}
		}
		checkRates(t, "large", e, randomHashes(r, 200_000))
	}
}
