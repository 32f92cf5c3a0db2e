package bloom

import (
	"math"
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
		{Ribbon(10), Place{Level: 5, Reason: ReasonCompaction}, maxPlanes / math.Ln2},
		{BitsPerKey(10), Place{Level: 5, Reason: ReasonCompaction}, maxPlanes / math.Ln2},
		{Ribbon(30), Place{Level: 5, Reason: ReasonCompaction}, 30},
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

// TestPlanesPayFromTheLeast: a plane of a table that is just large enough, or larger, takes fewer bits than a Bloom filter
// takes to halve its rate.
func TestPlanesPayFromTheLeast(t *testing.T) {
	for keys := uint64(ribbonLeast); keys < 10_000; keys++ {
		if perKey := float64(ribbonSlots(keys, 0)) / float64(keys); perKey*math.Ln2 > 1 {
			t.Fatalf("%d keys: a plane takes %.3f bits a key", keys, perKey)
		}
	}
}

// TestSmallRibbons: at every size from the least on, planes are built, hold their keys and have their rates; seldom
// after more than two tries.
func TestSmallRibbons(t *testing.T) {
	const seed, probes = 5, 2000
	r := rand.New(rand.NewPCG(seed, 0))
	absent := randomHashes(r, probes)
	var filters, tries, hits uint64
	for keys := ribbonLeast; keys < 3000; keys += 1 + r.IntN(40) {
		hashes := randomHashes(r, keys)
		e, _ := elasticOf(t, hashes)
		checkKeys(t, e, hashes)
		filters++
		tries += e.part.seed + 1
		for e.Resident() > 3 {
			e = e.Without(e.Resident() - 1)
		}
		hits += uint64(countHits(e, absent))
	}
	if float64(tries) > 1.1*float64(filters) {
		t.Errorf("seed %d: %d tries for %d filters", seed, tries, filters)
	}
	least, most := acceptable(1./8, 0, int(filters)*probes)
	if float64(hits) < least || float64(hits) > most {
		t.Errorf("seed %d: %d hits, accepted are %.0f to %.0f", seed, hits, least, most)
	}
}
