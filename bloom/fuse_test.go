package bloom

import (
	"math"
	"math/rand/v2"
	"testing"

	"siftdb/internal/allocs"
)

// solve makes a fuse filter of 8-bit fingerprints without a builder, so that sets of keys too small for one are tried, too.
func solve(t testing.TB, hashes []Hash) *fuse {
	t.Helper()
	var keys hashList
	for _, h := range hashes {
		keys.Add(h)
	}
	shape := fuseShapeFor(uint64(len(hashes)))
	solved, seed, ok := solveFuse(&keys, shape, 8)
	if !ok {
		t.Fatalf("no solution for %d keys", len(hashes))
	}
	return &fuse{packed: solved, shape: shape, seed: seed}
}

// Recipe FLT-22: the few keys at which such filters used to hang or panic, by themselves and through the policy.
func TestFuseOfFewKeys(t *testing.T) {
	rounds := 100_000
	if quick() {
		rounds = 5_000
	}
	const seed = 61
	r := rand.New(rand.NewPCG(seed, 0))
	check := func(hashes []Hash) {
		f := solve(t, hashes)
		for _, h := range hashes {
			if !f.MayContain(h) {
				t.Fatalf("seed %d: %x is denied among %x", seed, h, hashes)
			}
		}
	}
	for range rounds {
		for n := range 5 {
			check(randomHashes(r, n))
		}
	}
	const a, b = 0xef9bddc5166c081c, 0x33bf87adaa46dcfc
	for _, hashes := range [][]Hash{{{a, 0}, {b, 0}}, {{0, a}, {0, b}}, {{a, b}, {b, a}}, {{a, a}, {b, b}}} {
		check(hashes)
		f := parse(t, build(t, Fuse(10), hashes))
		if f.Family() != FamilyClassic || !f.MayContain(hashes[0]) || !f.MayContain(hashes[1]) {
			t.Errorf("%x: %v", hashes, f.Family())
		}
	}
}

// Recipe FLT-21: equal hashes, however many, and different ones that the first seed cannot tell apart.
func TestFuseOfEqualHashes(t *testing.T) {
	r := rand.New(rand.NewPCG(62, 0))
	one := Hash{1, 2}
	same := make([]Hash, 1000)
	for i := range same {
		same[i] = one
	}
	// Two hashes of one key under seed 0: what H1 makes the sum larger by, H2 makes it smaller by.
	twin := Hash{one.H1 + 77, one.H2 + remix(one.H1^mixSeed) - remix((one.H1+77)^mixSeed)}
	if fuseKeyOf(one, 0) != fuseKeyOf(twin, 0) || fuseKeyOf(one, 1) == fuseKeyOf(twin, 1) {
		t.Fatal("the twins are none")
	}
	others := randomHashes(r, 3000)
	for name, hashes := range map[string][]Hash{
		"a key many times":            same,
		"many keys twice":             append(others[:1500:1500], others[:1500]...),
		"a key many times and others": append(others[:2000:2000], same...),
		"twins":                       append(others[:2000:2000], one, twin),
		"twins twice":                 append(others[:2000:2000], one, twin, one, twin),
	} {
		f := parse(t, build(t, Fuse(10), hashes))
		if f.Family() != FamilyFuse || f.Keys() != uint64(len(hashes)) {
			t.Errorf("%s: %v of %d keys", name, f.Family(), f.Keys())
		}
		for _, h := range hashes {
			if !f.MayContain(h) {
				t.Fatalf("%s: a key is denied", name)
			}
		}
	}
}

// Where there is no solution the tries end, and the builder makes a classic filter.
func TestFuseWithoutASolution(t *testing.T) {
	var keys hashList
	for _, h := range randomHashes(rand.New(rand.NewPCG(63, 0)), 5000) {
		keys.Add(h)
	}
	if _, _, ok := solveFuse(&keys, fuseShapeFor(4000), 8); ok {
		t.Error("5000 keys in slots for 4000")
	}
	if keys.Len() != 5000 {
		t.Errorf("%d keys are left", keys.Len())
	}
}

func TestFuseSizes(t *testing.T) {
	// Reference: 8-bit filters have 10.24, 9.50 and 9.04 bits a key.
	for keys, want := range map[uint64]float64{10_000: 10.24, 100_000: 9.50, 1_000_000: 9.04} {
		if got := 8 * float64(fuseShapeFor(keys).slots()) / float64(keys); !near(got, want, 0.001) {
			t.Errorf("%d keys: %.3f bits a key, want %.2f", keys, got, want)
		}
	}
	last := uint64(0)
	for keys := uint64(0); keys < 1<<40; keys += 1 + keys/50 {
		s := fuseShapeFor(keys)
		if s.slots() < last*9/10 || float64(s.slots()) < 1.12*float64(keys) || s.segments < fuseSegments || s.shift > largestSegment {
			t.Errorf("%d keys: %+v", keys, s)
		}
		if keys >= fuseLeast && float64(s.slots()) > 1.5*float64(keys) {
			t.Errorf("%d keys: %d slots", keys, s.slots())
		}
		last = s.slots()
	}
	for bits, want := range map[float64]uint64{1: 0, 1.2: 1, 9: 7, 9.1: 8, 18.1: 16, 40: maxFuseWidth, 64: maxFuseWidth} {
		if got := fuseShapeFor(1_000_000).width(1_000_000, bits); got != want {
			t.Errorf("%g bits a key: fingerprints of %d, want %d", bits, got, want)
		}
	}
}

// Three slots that are always different and inside, even for keys at the edges.
func TestFusePlaces(t *testing.T) {
	r := rand.New(rand.NewPCG(64, 0))
	for keys := uint64(1); keys < 1<<30; keys = keys*3 + 1 {
		s := fuseShapeFor(keys)
		for i := range 1000 {
			k := fuseKey(r.Uint64())
			switch i {
			case 0:
				k = 0
			case 1:
				k = math.MaxUint64
			}
			a, b, c := s.places(k)
			if a == b || b == c || a == c || max(a, b, c) >= s.slots() || b>>s.shift != a>>s.shift+1 || c>>s.shift != b>>s.shift+1 {
				t.Fatalf("%d keys: %x has places %d, %d, %d of %d", keys, k, a, b, c, s.slots())
			}
		}
	}
}

// One seed is nearly always enough, so that a table is not built much slower than the benchmarks say.
func TestFuseSeeds(t *testing.T) {
	const seed, sets = 65, 400
	r := rand.New(rand.NewPCG(seed, 0))
	again := 0
	for range sets {
		again += int(solve(t, randomHashes(r, 1000+r.IntN(8000))).seed)
	}
	if again > sets/5 {
		t.Errorf("seed %d: %d more tries for %d sets of keys", seed, again, sets)
	}
}

// Recipe FSZ-06: what a builder needs beside the hashes.
func TestFuseNeedsFewBytesAKeyToBuild(t *testing.T) {
	const n = 200_000
	b := Fuse(9.6).Builder(Place{})
	for _, h := range randomHashes(rand.New(rand.NewPCG(66, 0)), n) {
		b.Add(h)
	}
	grown := allocs.Bytes(func() {
		if _, err := b.Append(nil); err != nil {
			t.Error(err)
		}
	})
	if perKey := float64(grown) / n; perKey > 40 {
		t.Errorf("%.1f bytes a key", perKey)
	}
}

func TestPackedNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(67, 0))
	for width := uint64(1); width <= maxPackedWidth; width++ {
		const n = 333
		p := newPacked(n, width)
		model := make([]uint64, n)
		for range 5 * n {
			i := r.Uint64N(n)
			model[i] = r.Uint64() & p.mask
			p.set(i, model[i])
		}
		read := parsePacked(p.payload(), width)
		for i, want := range model {
			if p.at(uint64(i)) != want || read.at(uint64(i)) != want {
				t.Fatalf("width %d: number %d is %x, want %x", width, i, p.at(uint64(i)), want)
			}
		}
		if !p.clean(n) {
			t.Errorf("width %d: not clean", width)
		}
		if spare := len(p.payload())*8 - int(n*width); spare > 0 {
			p.bytes[len(p.payload())-1] |= 0x80
			if p.clean(n) {
				t.Errorf("width %d: a bit past the last is not seen", width)
			}
		}
	}
}
