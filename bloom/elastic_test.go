package bloom

import (
	"math/rand/v2"
	"testing"
)

// elasticOf builds a ribbon filter over the hashes and gives it with all of its planes, and its bytes.
func elasticOf(t testing.TB, hashes []Hash) (*Elastic, []byte) {
	t.Helper()
	b := build(t, Ribbon(10), hashes)
	e, ok := parse(t, b).(*Elastic)
	if !ok || e.Resident() != e.Planes() {
		t.Fatalf("%d keys: a ribbon of %v", len(hashes), e)
	}
	return e, b
}

func TestAnySetOfPlanesKeepsEveryKeyAndHalvesTheRate(t *testing.T) {
	const seed = 17
	r := rand.New(rand.NewPCG(seed, 0))
	const probes = 200_000
	absent := randomHashes(r, probes)
	for _, n := range []int{2000, 2001, 10_000, 100_000} {
		hashes := randomHashes(r, n)
		e, _ := elasticOf(t, hashes)
		for ; ; e = e.Without(r.IntN(maxPlanes)) {
			for i, h := range hashes {
				if !e.MayContain(h) {
					t.Fatalf("seed %d, %d keys, %d planes: key %d is denied", seed, n, e.Resident(), i)
				}
			}
			least, most := acceptable(e.ExpectedRate(), 0, probes)
			if hits := float64(countHits(e, absent)); hits < least || hits > most {
				t.Errorf("seed %d, %d keys, %d planes: %g hits, accepted are %.0f to %.0f", seed, n, e.Resident(), hits, least, most)
			}
			if e.Resident() == 0 {
				break
			}
		}
	}
}
