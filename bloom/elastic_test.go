package bloom

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"siftdb/internal/allocs"
)

// elasticOf builds a ribbon filter over the hashes and gives it with all of its planes, and its bytes.
func elasticOf(t testing.TB, hashes []Hash) (*Elastic, []byte) {
	t.Helper()
	b := build(t, Ribbon(10), hashes)
	e, ok := parse(t, b).(*Elastic)
	if !ok || e.Resident() != e.Planes() {
		t.Fatalf("%d keys give no whole ribbon", len(hashes))
	}
	return e, b
}

// headOf gives the filter of the bytes without planes.
func headOf(t testing.TB, b []byte) *Elastic {
	t.Helper()
	n, err := HeadBytes(b[:HeaderSize])
	if err != nil {
		t.Fatal(err)
	}
	e, err := ParseElastic(b[:n:n])
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// planeOf cuts plane i out of a filter's bytes.
func planeOf(e *Elastic, b []byte, i int) []byte {
	offset, length := e.PlaneRange(i)
	return b[offset:][:length]
}

func with(t testing.TB, e *Elastic, b []byte, planes ...int) *Elastic {
	t.Helper()
	for _, i := range planes {
		var err error
		if e, err = e.With(i, planeOf(e, b, i)); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

func denied(f TableFilter, hashes []Hash) int { return len(hashes) - countHits(f, hashes) }

func TestAnElasticFilterWithoutPlanesSaysMaybe(t *testing.T) {
	hashes := randomHashes(rand.New(rand.NewPCG(1, 0)), 3000)
	full, b := elasticOf(t, hashes)
	e := headOf(t, b)
	if n := denied(e, randomHashes(rand.New(rand.NewPCG(2, 0)), 1000)); n != 0 {
		t.Errorf("%d hashes are denied", n)
	}
	if e.Resident() != 0 || e.Bits() != 0 || e.ExpectedRate() != 1 || e.Has(0) {
		t.Errorf("%d planes of %d bits resident, rate %g", e.Resident(), e.Bits(), e.ExpectedRate())
	}
	if e.Planes() != maxPlanes || e.Keys() != 3000 || e.Family() != FamilyRibbon || e.AskedBitsPerKey() != 10 || e.PlaneBits() != full.PlaneBits() {
		t.Errorf("%d planes of %d bits, %d keys, %v, asked %g", e.Planes(), e.PlaneBits(), e.Keys(), e.Family(), e.AskedBitsPerKey())
	}
}

func TestPlanesStandOneBehindTheOther(t *testing.T) {
	e, b := elasticOf(t, randomHashes(rand.New(rand.NewPCG(3, 0)), 3000))
	head, err := HeadBytes(b)
	if err != nil {
		t.Fatal(err)
	}
	at := int64(head)
	for i := range e.Planes() {
		offset, length := e.PlaneRange(i)
		if offset != at || uint64(length) != e.PlaneBits()/8+planeChecksumSize {
			t.Fatalf("plane %d is at %d with %d bytes, want %d", i, offset, length, at)
		}
		at += length
	}
	if at != int64(len(b)) {
		t.Errorf("the last plane ends at %d of %d", at, len(b))
	}
}

// Whatever is loaded and dropped, in whatever order: the planes are those that they should be, every key stays, the answers
// are those of the same planes loaded at once, and no earlier filter changes.
func TestPlanesComeAndGoInAnyOrder(t *testing.T) {
	const seed = 5
	r := rand.New(rand.NewPCG(seed, 0))
	hashes := randomHashes(r, 2200)
	absent := randomHashes(r, 300)
	_, b := elasticOf(t, hashes)
	e := headOf(t, b)
	var resident [maxPlanes]bool
	for step := range 400 {
		i := r.IntN(maxPlanes)
		before, old := e, answers(e, absent)
		if want := r.IntN(3) > 0; want {
			e = with(t, e, b, i)
			resident[i] = true
		} else {
			e = e.Without(i)
			resident[i] = false
		}
		n := 0
		fresh := headOf(t, b)
		for p, there := range resident {
			if there != e.Has(p) {
				t.Fatalf("seed %d step %d: plane %d there %v, want %v", seed, step, p, e.Has(p), there)
			}
			if there {
				n++
				fresh = with(t, fresh, b, p)
			}
		}
		if e.Resident() != n || e.Bits() != uint64(n)*e.PlaneBits() {
			t.Fatalf("seed %d step %d: %d planes of %d bits, want %d", seed, step, e.Resident(), e.Bits(), n)
		}
		if d := denied(e, hashes); d != 0 {
			t.Fatalf("seed %d step %d: %d keys are denied", seed, step, d)
		}
		if !bytes.Equal(answers(e, absent), answers(fresh, absent)) {
			t.Fatalf("seed %d step %d: other answers than with the planes in order", seed, step)
		}
		if !bytes.Equal(answers(before, absent), old) {
			t.Fatalf("seed %d step %d: the filter before changed", seed, step)
		}
	}
}

func answers(f TableFilter, hashes []Hash) []byte {
	a := make([]byte, len(hashes))
	for i, h := range hashes {
		if f.MayContain(h) {
			a[i] = 1
		}
	}
	return a
}

func TestAPlaneThatIsThereCostsNothingMore(t *testing.T) {
	e, b := elasticOf(t, randomHashes(rand.New(rand.NewPCG(6, 0)), 3000))
	again := with(t, e, b, 4)
	if again.Resident() != e.Resident() || again.Bits() != e.Bits() {
		t.Errorf("%d planes after loading one twice", again.Resident())
	}
	for _, i := range []int{-1, 16, 200} {
		if e.Has(i) || e.Without(i) != e {
			t.Errorf("a plane %d of %d", i, e.Planes())
		}
	}
}

// What a change of one plane may allocate: the four that stand side by side, not the whole filter.
func TestPlanesAreShared(t *testing.T) {
	e, b := elasticOf(t, randomHashes(rand.New(rand.NewPCG(7, 0)), 100_000))
	e = e.Without(15)
	most := 4*(e.PlaneBits()/8+wordBytes) + 8<<10
	// least leaves out what the runtime allocates beside one of three calls.
	least := func(fn func()) uint64 { return min(allocs.Bytes(fn), allocs.Bytes(fn), allocs.Bytes(fn)) }
	if grown := least(func() { with(t, e, b, 15) }); grown > most {
		t.Errorf("loading a plane allocates %d bytes, want at most %d", grown, most)
	}
	if grown := least(func() { e.Without(14) }); grown > most {
		t.Errorf("dropping a plane allocates %d bytes, want at most %d", grown, most)
	}
}

// TestWithRun: planes that come together are those that come one after the other, whatever is there already; those that
// are damaged, or cut short, are left out, each with its error.
func TestWithRun(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	_, b := elasticOf(t, randomHashes(rng, 3000))
	head := headOf(t, b)
	hashes := randomHashes(rng, 2000)
	for range 300 {
		there := rng.Perm(head.Planes())[:rng.IntN(head.Planes())]
		e := with(t, head, b, there...)
		first := rng.IntN(head.Planes())
		end := first + rng.IntN(head.Planes()-first+1)
		from, length := e.PlaneRange(first)
		bytes := bytes.Clone(b[from:][:int64(end-first)*length])
		want, spoiled := e, map[int]bool{}
		for i := first; i < end; i++ {
			if rng.IntN(8) == 0 {
				bytes[int64(i-first)*length+rng.Int64N(length)] ^= 1 << rng.IntN(8)
				spoiled[i] = true
			} else {
				want = with(t, want, b, i)
			}
		}
		if rng.IntN(4) == 0 && end > first && !spoiled[end-1] {
			bytes = bytes[:len(bytes)-1]
			if spoiled[end-1] = true; !e.Has(end - 1) {
				want = want.Without(end - 1)
			}
		}
		got, bad := e.WithRun(first, end, bytes)
		for i := range head.Planes() {
			if got.Has(i) != want.Has(i) || (bad[i] != nil) != spoiled[i] {
				t.Fatalf("planes %d to %d into %v, damaged %v: plane %d is there: %v; %v",
					first, end, there, spoiled, i, got.Has(i), bad[i])
			}
		}
		if !slices.Equal(answers(got, hashes), answers(want, hashes)) {
			t.Fatalf("planes %d to %d into %v, damaged %v: other answers", first, end, there, spoiled)
		}
	}
	if none, bad := head.WithRun(0, 2, nil); none.Resident() != 0 || len(bad) != 2 {
		t.Errorf("%d planes out of no bytes, %v", none.Resident(), bad)
	}
	// Nine planes are laid out once each, and not again with each that follows.
	_, large := elasticOf(t, randomHashes(rng, 100_000))
	e := headOf(t, large)
	_, length := e.PlaneRange(0)
	from, _ := e.PlaneRange(0)
	if grown := allocs.Bytes(func() { e.WithRun(0, 9, large[from:][:9*length]) }); grown > uint64(10*length) {
		t.Errorf("loading 9 planes of %d bytes allocates %d", length, grown)
	}
}

func TestWithCopies(t *testing.T) {
	hashes := randomHashes(rand.New(rand.NewPCG(8, 0)), 3000)
	_, b := elasticOf(t, hashes)
	e := with(t, headOf(t, b), b, 0, 1, 2, 3, 4)
	clear(b)
	if n := denied(e, hashes); n != 0 || e.Keys() != 3000 {
		t.Errorf("%d keys are denied after the bytes are gone", n)
	}
}

func TestProbesRunBesideLoadingAndDropping(t *testing.T) {
	hashes := randomHashes(rand.New(rand.NewPCG(9, 0)), 2500)
	e, b := elasticOf(t, hashes)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				if n := denied(e, hashes); n != 0 {
					t.Errorf("%d keys are denied", n)
				}
			}
		})
	}
	for i := range maxPlanes {
		wg.Go(func() {
			changed := with(t, e.Without(i).Without((i+3)%maxPlanes), b, i)
			if n := denied(changed, hashes); n != 0 {
				t.Errorf("%d keys are denied", n)
			}
		})
	}
	wg.Wait()
}

func TestProbingAnElasticFilterDoesNotAllocate(t *testing.T) {
	hashes := randomHashes(rand.New(rand.NewPCG(10, 0)), 3000)
	e, _ := elasticOf(t, hashes)
	for e.Resident() > 0 {
		i := 0
		if n := testing.AllocsPerRun(100, func() { e.MayContain(hashes[i]); i++ }); n != 0 {
			t.Errorf("%d planes: %v allocations", e.Resident(), n)
		}
		e = e.Without(e.Resident() - 1)
	}
}
