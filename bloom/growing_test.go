package bloom

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
)

func TestGrowingHoldsWhatWasAdded(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 0))
	for _, expect := range []int{0, 1, 40, 1000} {
		for _, p := range []float64{0.9, 0.5, 0.01, 0.001} {
			g := NewGrowing(expect, p)
			if g.MayContain(Hash{}) || g.Bits() != 0 {
				t.Fatal("an empty filter holds something")
			}
			hashes := append(randomHashes(r, 3000), Hash{}, Hash{math.MaxUint64, math.MaxUint64}, Sum(nil))
			for i, h := range hashes {
				g.Add(h)
				g.Add(h)
				if !g.MayContain(h) || !g.MayContain(hashes[r.IntN(i+1)]) {
					t.Fatalf("expect %d, p %g: a key is denied after %d", expect, p, i+1)
				}
			}
			for _, h := range hashes {
				if !g.MayContain(h) {
					t.Fatalf("expect %d, p %g: a key is denied", expect, p)
				}
			}
		}
	}
}

// Whatever was expected, the rate holds at every moment: before, at and after each slice that fills up.
func TestGrowingKeepsItsRateWhileItGrows(t *testing.T) {
	const seed = 52
	probes, sizes := 100_000, []int{10, 100, 1000, 5000, 20_000, 60_000}
	if quick() {
		probes, sizes = 5_000, sizes[:4]
	}
	r := rand.New(rand.NewPCG(seed, 0))
	absent := randomHashes(r, probes)
	for _, expect := range []int{0, 1000, 20_000} {
		for _, p := range []float64{0.25, 1.0 / 64, 0.001} {
			g := NewGrowing(expect, p)
			added := 0
			for _, upTo := range sizes {
				for ; added < upTo; added++ {
					g.Add(Hash{r.Uint64(), r.Uint64()})
				}
				hits := 0
				for _, h := range absent {
					if g.MayContain(h) {
						hits++
					}
				}
				// A slice of few lines may hold more keys in one than theory mixes in.
				if _, most := acceptable(p, 0.05, probes); float64(hits) > most {
					t.Errorf("seed %d, expect %d, p %g: %d of %d are maybe after %d keys", seed, expect, p, hits, probes, added)
				}
			}
		}
	}
}

// Recipe FSZ-07, for the filter that grows with a memtable: what it costs beside one of the right size.
func TestGrowingMemory(t *testing.T) {
	const p = 1.0 / 64
	best := blockedHalvings[5]
	for _, c := range []struct {
		times float64 // keys added over keys expected
		most  float64 // bits per key over those of a filter made for them
	}{{0.5, 2.4}, {1, 1.2}, {2, 1.3}, {5, 2.7}} {
		const expect = 10_000
		g := NewGrowing(expect, p)
		n := int(c.times * expect)
		for i := range uint64(n) {
			g.Add(Hash{i * goldenRatio, remix(i + 1)})
		}
		if perKey := float64(g.Bits()) / float64(n); perKey > c.most*best {
			t.Errorf("%g times the keys: %.1f bits per key, %.1f for a filter of the right size", c.times, perKey, best)
		}
	}
	// A key that comes again and again takes room once.
	g := NewGrowing(100, p)
	for range 100_000 {
		g.Add(Hash{1, 2})
	}
	if g.Bits() > 1<<12 {
		t.Errorf("%d bits for one key", g.Bits())
	}
}

func TestGrowingRefusesRatesOutsideItsDomain(t *testing.T) {
	for _, p := range []float64{-1, 0, 1e-4, 1, 2, math.NaN(), math.Inf(1)} {
		func() {
			defer func() {
				var e *ParameterError
				if err, _ := recover().(error); !errors.As(err, &e) {
					t.Errorf("p %g: %v", p, err)
				}
			}()
			NewGrowing(10, p)
		}()
	}
}

func TestBlockedHalvingsComeFromTheory(t *testing.T) {
	for i, bits := range blockedHalvings {
		want := math.Pow(2, -float64(i+1))
		if got := blockedRateAt(bits); got > want*1.0001 || got < want*0.999 {
			t.Errorf("%g bits: rate %g, want %g", bits, got, want)
		}
	}
}

// While one goroutine adds, others must get a maybe for every key that they know to be in. It is at its best under the
// race detector.
func TestGrowingBesideReaders(t *testing.T) {
	n := 100_000
	if quick() {
		n = 5_000
	}
	const seed = 53
	hashes := randomHashes(rand.New(rand.NewPCG(seed, 0)), n)
	g := NewGrowing(100, 0.01)
	var added atomic.Int64
	var all sync.WaitGroup
	all.Go(func() {
		for i, h := range hashes {
			g.Add(h)
			added.Store(int64(i + 1))
		}
	})
	for reader := range uint64(4) {
		all.Go(func() {
			r := rand.New(rand.NewPCG(seed, 1+reader))
			for last := 0; last < n && !t.Failed(); {
				last = int(added.Load())
				for i := max(0, last-50); i < last; i++ {
					if !g.MayContain(hashes[i]) {
						t.Errorf("key %d of %d is denied", i, last)
					}
				}
				for range min(last, 100) {
					if i := r.IntN(last); !g.MayContain(hashes[i]) {
						t.Errorf("key %d of %d is denied", i, last)
					}
				}
				if last > 0 && g.Bits() == 0 {
					t.Error("keys without bits")
				}
			}
		})
	}
	all.Wait()
}

func TestGrowingDoesNotAllocateInAProbe(t *testing.T) {
	g := NewGrowing(0, 0.01)
	for i := range uint64(1000) {
		g.Add(Hash{remix(i), i})
	}
	i := uint64(0)
	if n := testing.AllocsPerRun(1000, func() { g.MayContain(Hash{remix(i), i}); i++ }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkGrowing is what a memtable of a million keys pays, in a filter made for as many and in one made for fewer.
func BenchmarkGrowing(b *testing.B) {
	const n = 1_000_000
	hashes := randomHashes(rand.New(rand.NewPCG(54, 0)), n)
	absent := randomHashes(rand.New(rand.NewPCG(55, 0)), benchProbes)
	for _, expect := range []int{n, n / 4, 1000} {
		full := NewGrowing(expect, 0.01)
		for _, h := range hashes {
			full.Add(h)
		}
		for name, asked := range map[string][]Hash{"absent": absent, "present": hashes[:benchProbes]} {
			b.Run(fmt.Sprintf("%s/expected=%d", name, expect), func(b *testing.B) {
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					full.MayContain(asked[i%benchProbes])
					i++
				}
				b.ReportMetric(float64(full.Bits())/n, "bits/key")
			})
		}
		b.Run(fmt.Sprintf("add/expected=%d", expect), func(b *testing.B) {
			var g *Growing
			for i := 0; b.Loop(); i++ {
				if i%n == 0 {
					g = NewGrowing(expect, 0.01)
				}
				g.Add(hashes[i%n])
			}
		})
	}
}
