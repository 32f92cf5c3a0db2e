package bloom

import (
	"bytes"
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"

	"siftdb/internal/allocs"
	"siftdb/internal/offheap"
)

// ribbonOf builds a ribbon of all planes whose parts have so many keys, about.
func ribbonOf(t testing.TB, hashes []Hash, partKeys int) []byte {
	t.Helper()
	b := newRibbonBuilder(10, maxPlanes)
	b.partKeys = uint64(partKeys)
	for _, h := range hashes {
		b.Add(h)
	}
	bytes, err := b.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	return bytes
}

// hashWith is the hash with a first half that has the key under a seed.
func hashWith(h1 uint64, key ribbonKey, seed uint64) Hash {
	inverse := uint64(goldenRatio) // each round of Newton's doubles the bits that are right
	for range 5 {
		inverse *= 2 - goldenRatio*inverse
	}
	h := Hash{h1, uint64(key)*inverse - remix(h1^(seed+1)*mixSeed)}
	if ribbonKeyOf(h, seed) != key {
		panic("the hash has another key")
	}
	return h
}

// crowded are hashes whose rows all start at one slot under the seed, and anywhere under any other.
func crowded(r *rand.Rand, n int, seed uint64) []Hash {
	hashes := make([]Hash, n)
	at := r.Uint64() &^ (1<<32 - 1)
	for i := range hashes {
		hashes[i] = hashWith(r.Uint64(), ribbonKey(at|uint64(r.Uint32())), seed)
	}
	return hashes
}

func checkKeys(t *testing.T, f TableFilter, hashes []Hash) {
	t.Helper()
	if n := denied(f, hashes); n != 0 {
		t.Fatalf("%d of %d keys are denied", n, len(hashes))
	}
}

func TestABadSeedIsFollowedByTheNext(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	hashes := append(randomHashes(r, 5000), crowded(r, 200, 0)...)
	e := parse(t, ribbonOf(t, hashes, largestPart)).(*Elastic)
	if e.part.seed != 1 || e.part.slots != ribbonSlots(5200, 0) {
		t.Errorf("seed %d, %d slots", e.part.seed, e.part.slots)
	}
	checkKeys(t, e, hashes)
}

func TestAfterManyBadSeedsThereAreMoreSlots(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 0))
	hashes := randomHashes(r, 3000)
	for seed := range uint64(6) {
		hashes = append(hashes, crowded(r, 200, seed)...)
	}
	e := parse(t, ribbonOf(t, hashes, largestPart)).(*Elastic)
	if e.part.seed != 6 || e.part.slots <= ribbonSlots(4200, 0) || e.part.slots != ribbonSlots(4200, 6) {
		t.Errorf("seed %d, %d slots", e.part.seed, e.part.slots)
	}
	checkKeys(t, e, hashes)
	absent := randomHashes(r, 100_000)
	least, most := acceptable(1./16, 0, len(absent))
	for i := 4; i < maxPlanes; i++ {
		e = e.Without(i)
	}
	if hits := float64(countHits(e, absent)); hits < least || hits > most {
		t.Errorf("%g hits, accepted are %.0f to %.0f", hits, least, most)
	}
}

// hopeless are hashes whose rows all start at one slot under every seed.
func hopeless(n int) []Hash {
	hashes := make([]Hash, n)
	for i := range hashes {
		hashes[i] = Hash{7, hashWith(7, ribbonKey(1<<40)+ribbonKey(i), 0).H2}
	}
	return hashes
}

func TestKeysThatNoSeedSolvesGetAClassicFilter(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0))
	for _, partKeys := range []int{largestPart, 1000} {
		hashes := append(randomHashes(r, 5000), hopeless(600)...)
		f := parse(t, ribbonOf(t, hashes, partKeys))
		if f.Family() != FamilyClassic || f.Keys() != 5600 || f.AskedBitsPerKey() != 10 {
			t.Errorf("%v of %d keys", f.Family(), f.Keys())
		}
		checkKeys(t, f, hashes)
		if hits := countHits(f, randomHashes(r, 10_000)); hits > 150 {
			t.Errorf("%d of 10 000 are maybe", hits)
		}
	}
}

// Equal keys make equal equations, which hold or fall together.
func TestEqualHashesAreHarmless(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 0))
	hashes := randomHashes(r, 3000)
	hashes = append(hashes, hashes...)
	hashes = append(hashes, hashes[:1000]...)
	one := randomHashes(r, 1)[0]
	for range 3000 {
		hashes = append(hashes, one)
	}
	e := parse(t, ribbonOf(t, hashes, largestPart)).(*Elastic)
	if e.Keys() != 10_000 || e.part.seed != 0 {
		t.Errorf("%d keys, seed %d", e.Keys(), e.part.seed)
	}
	checkKeys(t, e, hashes)
	if hits := countHits(e, randomHashes(r, 100_000)); hits > 12 {
		t.Errorf("%d of 100 000 are maybe", hits)
	}
}

// There is one solution that gives 0 to the slots without an equation, whatever order the keys came in.
func TestTheBytesDoNotDependOnTheOrderOfTheKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 0))
	hashes := randomHashes(r, 6000)
	for _, partKeys := range []int{largestPart, 1500} {
		want := ribbonOf(t, hashes, partKeys)
		for range 5 {
			r.Shuffle(len(hashes), func(i, j int) { hashes[i], hashes[j] = hashes[j], hashes[i] })
			if !bytes.Equal(ribbonOf(t, hashes, partKeys), want) {
				t.Fatal("other bytes in another order")
			}
		}
	}
}

func TestPartsAreSolvedEachByItself(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 0))
	hashes, absent := randomHashes(r, 20_000), randomHashes(r, 60_000)
	for _, partKeys := range []int{10_000, 3000, 100} {
		e := parse(t, ribbonOf(t, hashes, partKeys)).(*Elastic)
		if got := len(e.head.parts); got != 20_000/partKeys+min(1, 20_000%partKeys) {
			t.Fatalf("%d parts of %d keys", got, partKeys)
		}
		checkKeys(t, e, hashes)
		for j := maxPlanes; j > 0; j-- {
			least, most := acceptable(e.ExpectedRate(), 0, len(absent))
			if hits := float64(countHits(e, absent)); hits < least || hits > most {
				t.Errorf("parts of %d keys, %d planes: %g hits, accepted are %.0f to %.0f", partKeys, j, hits, least, most)
			}
			e = e.Without(j - 1)
		}
	}
}

func TestPartsMayBeEmpty(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 0))
	hashes := randomHashes(r, 3000)
	for i := range hashes {
		hashes[i].H1 |= 3 << 62 // the last quarter
	}
	e := parse(t, ribbonOf(t, hashes, 1000)).(*Elastic)
	if p := e.head.parts; len(p) != 3 || p[0].keys != 0 || p[1].keys != 0 || p[2].keys != 3000 {
		t.Fatalf("parts %+v", p)
	}
	checkKeys(t, e, hashes)
	if hits := countHits(e, randomHashes(r, 100_000)); hits > 15 {
		t.Errorf("%d of 100 000 are maybe", hits)
	}
}

// byTheBook is whether a hash's equation holds in a plane, from the bytes and the formulas of doc.go alone.
func byTheBook(b []byte, h Hash, plane int) bool {
	const two64 = 64
	high := func(x, y uint64) uint64 {
		p := new(big.Int).Mul(new(big.Int).SetUint64(x), new(big.Int).SetUint64(y))
		return p.Rsh(p, two64).Uint64()
	}
	number := func(at uint64) (n uint64) {
		for i := range uint64(8) {
			n |= uint64(b[at+i]) << (8 * i)
		}
		return n
	}
	fold := func(x uint64) uint64 { return x ^ x>>32 }
	parts, slots := number(40), number(48)
	part := high(h.H1, parts)
	before := uint64(0)
	for i := range part {
		before += number(64 + 32*i + 8)
	}
	partSlots, seed := number(64+32*part+8), number(64+32*part+16)
	key := (fold((h.H1^(seed+1)*0x6a09e667f3bcc909)*0x9e3779b97f4a7c15) + h.H2) * 0x9e3779b97f4a7c15
	start := high(key, partSlots-127)
	row := [2]uint64{fold(key*0xbb67ae8584caa73b) | 1, fold(key * 0x3c6ef372fe94f82b)}
	result := key * 0xa54ff53a5f1d36f1 >> 48
	at := 64 + 32*parts + uint64(plane)*(slots/8+4)
	parity := byte(0)
	for i := range uint64(128) {
		if row[i/64]>>(i%64)&1 == 1 {
			slot := before + start + i
			parity ^= b[at+slot/8] >> (slot % 8) & 1
		}
	}
	return uint64(parity) == result>>plane&1
}

func TestARibbonIsByTheBook(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 0))
	hashes := randomHashes(r, 2500)
	for _, partKeys := range []int{largestPart, 600} {
		b := ribbonOf(t, hashes, partKeys)
		var alone [maxPlanes]*Elastic
		for i := range alone {
			alone[i] = with(t, headOf(t, b), b, i)
		}
		for n, h := range append(hashes[:500:500], randomHashes(r, 500)...) {
			for i, e := range alone {
				got, want := e.MayContain(h), byTheBook(b, h, i)
				if got != want || n < 500 && !want {
					t.Fatalf("parts of %d keys, hash %d, plane %d: %v, by the book %v", partKeys, n, i, got, want)
				}
			}
		}
	}
}

// Rows may start at any slot up to the last that leaves room, and reach the last.
func TestRowsReachBothEnds(t *testing.T) {
	const slots = 2304
	for _, start := range []ribbonKey{0, 1 << 63, 1<<64 - 1} {
		p := ribbonPart{slots: slots}
		if s := start.start(p.starts()); s+ribbonWidth > slots || start == 1<<64-1 && s+ribbonWidth != slots {
			t.Errorf("key %x starts at %d", uint64(start), s)
		}
	}
	r := rand.New(rand.NewPCG(9, 0))
	hashes := randomHashes(r, 2500)
	for i := range 40 {
		hashes = append(hashes, hashWith(r.Uint64(), ribbonKey(i), 0), hashWith(r.Uint64(), ^ribbonKey(i), 0))
	}
	e := parse(t, ribbonOf(t, hashes, largestPart)).(*Elastic)
	if e.part.seed != 0 {
		t.Fatalf("seed %d", e.part.seed)
	}
	for ; e.Resident() > 0; e = e.Without(e.Resident() - 1) {
		checkKeys(t, e, hashes)
	}
}

func TestAPlacedRowIsTheRowMoved(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 0))
	for start := range uint64(130) {
		k := ribbonKey(r.Uint64())
		low, high := k.row()
		row := new(big.Int).SetUint64(high)
		row.Lsh(row, 64).Or(row, new(big.Int).SetUint64(low)).Lsh(row, uint(start%64))
		for i, got := range k.rowAt(start) {
			want := new(big.Int).Rsh(row, uint(64*i))
			want.And(want, new(big.Int).SetUint64(1<<64-1))
			if got != want.Uint64() {
				t.Fatalf("start %d, word %d: %x, want %x", start, i, got, want)
			}
		}
	}
}

// The equations must look like chance, or they would hold for absent keys more often than not, or have no solution.
func TestRowsAndResultsAreEven(t *testing.T) {
	const n = 200_000
	r := rand.New(rand.NewPCG(11, 0))
	var rows [ribbonWidth]int
	var results, both [maxPlanes]int
	for range n {
		k := ribbonKeyOf(Hash{r.Uint64(), r.Uint64()}, 0)
		low, high := k.row()
		for i := range 64 {
			rows[i] += int(low >> i & 1)
			rows[64+i] += int(high >> i & 1)
		}
		parity := (bits.OnesCount64(low) + bits.OnesCount64(high)) & 1
		for i := range results {
			bit := int(k.result() >> i & 1)
			results[i] += bit
			both[i] += bit ^ parity
		}
	}
	for name, counts := range map[string][]int{"row": rows[1:], "result": results[:], "parity": both[:]} {
		for i, c := range counts {
			if least, most := acceptable(0.5, 0, n); float64(c) < least || float64(c) > most {
				t.Errorf("%s bit %d is set %d of %d times", name, i, c, n)
			}
		}
	}
	if rows[0] != n {
		t.Error("a row without its first slot")
	}
}

// Equations that differ in the later slots only: as rare as one in 2^64, so made by hand.
func TestAnEquationMayMoveByAWord(t *testing.T) {
	b := emptyBand(make([]bandRow, 4*ribbonWidth), make([]uint16, 4*ribbonWidth))
	for _, e := range []struct {
		slot, low, high uint64
		result          uint16
		solvable        bool
	}{
		{10, 0b11, 0, 1, true},
		{10, 0b11, 0b101000, 0b110, true}, // moves on to slot 77
		{10, 0b11, 0b101000, 0b110, true}, // the same again
		{10, 0b11, 0b001000, 0b010, true}, // moves on to slot 77, then to 79
		{77, 0b101, 0, 0b111, true},       // the second equation's remainder
		{77, 0b101, 0, 0b110, false},      // with another result
		{10, 0b11, 1 << 63, 0b1111, true}, // as far as a row reaches, slot 137
		{137, 0b1, 0, 0b1110, true},       // its remainder
		{137, 0b1, 1 << 63, 0b1111, true}, // moves on to slot 264
		{264, 0b1, 0, 0b0000, false},      // which is known already
		{300, 1<<63 | 1, 0, 0b1000, true}, // a row of its own
		{300, 1, 1 << 63, 0b0001, true},   // moves on by 63 slots
		{363, 1, 1, 0b1001, true},         // its remainder
		{363, 1, 1, 0b1000, false},        // with another result
	} {
		if got := b.add(e.slot, e.low, e.high, e.result); got != e.solvable {
			t.Fatalf("%+v: solvable %v", e, got)
		}
	}
	if b.rows[77].low != 0b101 || b.results[77] != 0b111 || b.rows[79].low != 1 || b.rows[137].low != 1 || b.rows[264].low != 1 {
		t.Errorf("rows %v", b.rows[70:])
	}
}

// What a build needs beside the hashes is bounded by a part: 8 bytes a key and 18 a slot of it, the planes twice.
func TestABuildInPartsNeedsLittleMemory(t *testing.T) {
	const n = 300_000
	hashes := randomHashes(rand.New(rand.NewPCG(12, 0)), n)
	for partKeys, most := range map[int]int{largestPart: 33 * n, n / 10: 16*n + 12*n} {
		b := newRibbonBuilder(10, maxPlanes)
		b.partKeys = uint64(partKeys)
		for _, h := range hashes {
			b.Add(h)
		}
		grown := allocs.Bytes(func() {
			if _, err := b.Append(nil); err != nil {
				t.Fatal(err)
			}
		})
		if !raceDetector && grown > uint64(most) { // which allocates too
			t.Errorf("parts of %d: %.1f bytes a key", partKeys, float64(grown)/n)
		}
	}
}

// TestSolversMemoryIsOutsideTheHeap: what solves a filter takes none of the heap, where the system allows that, and is
// given back when the filter is built.
func TestSolversMemoryIsOutsideTheHeap(t *testing.T) {
	const n = 100_000
	hashes := randomHashes(rand.New(rand.NewPCG(14, 0)), n)
	before := offheap.Held()
	grown := allocs.Bytes(func() { ribbonOf(t, hashes, largestPart) })
	if held := offheap.Held() - before; held != 0 {
		t.Errorf("%d bytes are outside the heap after a build", held)
	}
	if few := uint64(16*n + 5*n); offheap.Untouched && grown > few { // the hashes, and the planes twice
		t.Errorf("a build allocates %d bytes, more than %d", grown, few)
	}
}

func TestPoliciesOfPlanesKnowThePlace(t *testing.T) {
	hashes := randomHashes(rand.New(rand.NewPCG(13, 0)), 3000)
	for _, c := range []struct {
		policy Policy
		place  Place
		family Family
		planes int
	}{
		{BitsPerKey(10), Place{}, FamilyBlocked, 0},
		{BitsPerKey(10), Place{Level: 0, Reason: ReasonCompaction}, FamilyBlocked, 0},
		{BitsPerKey(10), Place{Level: 0, Reason: ReasonCompaction, Bottommost: true}, FamilyBlocked, 0},
		{BitsPerKey(10), Place{Level: 3, Reason: ReasonFlush}, FamilyBlocked, 0},
		{BitsPerKey(10), Place{Level: 6, Reason: ReasonRecovery, Bottommost: true}, FamilyBlocked, 0},
		{BitsPerKey(10), Place{Level: 1, Reason: ReasonCompaction}, FamilyRibbon, 16},
		{BitsPerKey(10), Place{Level: 6, Reason: ReasonCompaction, Bottommost: true}, FamilyRibbon, 14},
		{BitsPerKey(0.5), Place{Level: 6, Reason: ReasonCompaction, Bottommost: true}, FamilyRibbon, 5},
		{BitsPerKey(64), Place{Level: 6, Reason: ReasonCompaction, Bottommost: true}, FamilyRibbon, 16},
		{BitsPerKey(1), Place{Level: 2, Reason: ReasonCompaction}, FamilyRibbon, 16},
		{Ribbon(10), Place{}, FamilyRibbon, 16},
		{Ribbon(10), Place{Bottommost: true}, FamilyRibbon, 14},
		{Ribbon(4.2), Place{Level: 5, Bottommost: true}, FamilyRibbon, 8},
		{Ribbon(4.21), Place{Level: 5, Bottommost: true}, FamilyRibbon, 9},
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
		name := fmt.Sprintf("%v at %+v", c.policy, c.place)
		if f.Family() != c.family || f.AskedBitsPerKey() != c.policy.AskedBits() {
			t.Errorf("%s: %v, asked %g", name, f.Family(), f.AskedBitsPerKey())
		}
		if e, ok := f.(*Elastic); ok && e.Planes() != c.planes {
			t.Errorf("%s: %d planes, want %d", name, e.Planes(), c.planes)
		}
		checkKeys(t, f, hashes)
	}
}
