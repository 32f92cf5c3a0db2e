package bloom

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

// TestBuildersShareNoHashes: builders use the memory of those that are done; filters that are built at the same time,
// of sizes around that of a chunk and of several parts, are as they are when built alone.
func TestBuildersShareNoHashes(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	sizes := []int{firstChunk, fullChunk - firstChunk, fullChunk, 2*fullChunk + 1, 30_000}
	var all sync.WaitGroup
	for _, kind := range tableKinds {
		for _, n := range sizes {
			policy, hashes := kind.policy(10), randomHashes(r, n)
			alone := build(t, policy, hashes)
			all.Go(func() {
				for range 5 {
					if !bytes.Equal(build(t, policy, hashes), alone) {
						t.Errorf("seed %d: %s of %d keys differs", seed, kind.name, n)
					}
				}
			})
		}
	}
	all.Wait()
}

// TestBorrowedHashes: a builder makes of hashes that are lent what it makes of its own, those of Add beside them and
// keys that come twice included, though each step of the walk overwrites the one before; and it changes none.
func TestBorrowedHashes(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	for _, n := range []int{0, 1, 700, 2*fullChunk + 1, 30_000} {
		hashes := randomHashes(r, n)
		for i := range n / 10 {
			hashes[r.IntN(n)] = hashes[i]
		}
		for _, kind := range tableKinds {
			for _, own := range []int{0, n / 3} {
				b := kind.policy(10).Builder(Place{}).(Borrower)
				got, lent := borrowed(t, b, hashes, own)
				if want := build(t, kind.policy(10), append(slices.Clone(lent), hashes[:own]...)); !bytes.Equal(got, want) {
					t.Errorf("seed %d: %s of %d keys, %d of them its own, differs", seed, kind.name, n, own)
				}
			}
		}
		b := newRibbonBuilder(10, maxPlanes)
		b.partKeys = 5000
		if got, _ := borrowed(t, b, hashes, 0); n > 0 && !bytes.Equal(got, ribbonOf(t, hashes, 5000)) {
			t.Errorf("seed %d: ribbons in parts of %d keys differ", seed, n)
		}
	}
}

// borrowed builds a filter of hashes, of which the first own are added and the others lent.
func borrowed(t *testing.T, b Borrower, hashes []Hash, own int) (filter []byte, lent []Hash) {
	t.Helper()
	lent = hashes[own:]
	shown := make([]Hash, 100)
	b.Borrow(func(yield func([]Hash) bool) {
		for some := range slices.Chunk(lent, len(shown)) {
			n := copy(shown, some)
			if !yield(shown[:n]) {
				return
			}
			if !slices.Equal(shown[:n], some) {
				t.Fatal("a hash was changed")
			}
			clear(shown)
		}
	}, len(lent))
	for _, h := range hashes[:own] {
		b.Add(h)
	}
	if b.Len() != len(hashes) {
		t.Fatalf("builder has %d keys of %d", b.Len(), len(hashes))
	}
	filter, err := b.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	return filter, lent
}
