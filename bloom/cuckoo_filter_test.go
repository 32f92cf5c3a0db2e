package bloom

import (
	"math/rand/v2"
	"testing"
)

func newCuckooOf(t testing.TB, n int, p float64) *CuckooFilter {
	t.Helper()
	f, err := NewCuckoo(n, p)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Recipe FSZ-09: every key that a filter was made for finds room in its buckets, and nearly all up to 95 % of the slots.
func TestCuckooFilterHoldsWhatItWasMadeFor(t *testing.T) {
	largest, seeds := 20, 10
	if quick() {
		largest, seeds = 14, 3
	}
	for log := 4; log <= largest; log++ {
		n := 1 << log
		if log > 15 {
			seeds = 1
		}
		for seed := range uint64(seeds) {
			r := rand.New(rand.NewPCG(seed, uint64(log)))
			f := newCuckooOf(t, n, 0.001)
			beside := 0
			for i := range int(0.95 * float64(f.table.buckets*bucketSize)) {
				if i == n {
					beside = len(f.beside)
				}
				f.Add(absentKey(r))
			}
			if beside != 0 {
				t.Errorf("seed %d: made for %d keys, %d found no room", seed, n, beside)
			}
			if beyond := len(f.beside); beyond > 2+n/1000 {
				t.Errorf("seed %d: made for %d keys, %d found no room at 95 %%", seed, n, beyond)
			}
		}
	}
}

// Recipe FLT-19: a filter far beyond what it was made for denies nothing at any step, while it fills and while it empties.
func TestCuckooFilterFarBeyondWhatItWasMadeFor(t *testing.T) {
	n := 10_000
	if quick() {
		n = 2_000
	}
	f := newCuckooOf(t, 8, 0.01)
	check := func(from, to int) {
		t.Helper()
		for i := from; i < to; i++ {
			if !f.MayContain(numbered(i)) {
				t.Fatalf("key %d of %d to %d is denied", i, from, to)
			}
		}
	}
	for i := range n {
		f.Add(numbered(i))
		if i&(i-1) == 0 {
			check(0, i+1)
		}
	}
	for i := range n {
		if !f.Remove(numbered(i)) {
			t.Fatalf("key %d cannot be taken out", i)
		}
		if i&(i-1) == 0 {
			check(i+1, n)
		}
	}
	if f.Len() != 0 || f.EstimatedRate() != 0 || len(f.beside) != 0 {
		t.Errorf("length %d, rate %g, %d fingerprints beside", f.Len(), f.EstimatedRate(), len(f.beside))
	}
}

// A key may be in any number of times; eight copies fill its buckets.
func TestCuckooFilterOfOneKey(t *testing.T) {
	f := newCuckooOf(t, 100, 0.01)
	const times = 1000
	for range times {
		f.Add([]byte("one"))
	}
	for i := range times {
		if !f.MayContain([]byte("one")) || f.Len() != times-i || !f.Remove([]byte("one")) {
			t.Fatalf("lost after %d of %d times", i, times)
		}
	}
	if f.MayContain([]byte("one")) || f.Remove([]byte("one")) {
		t.Error("it is there more often than it was put in")
	}
}

func TestCuckooFilterSizes(t *testing.T) {
	for _, c := range []struct {
		p, bits float64 // a key
	}{{0.01, 10.7}, {0.001, 13.9}, {0.0001, 18.1}} {
		f := newCuckooOf(t, 100_000, c.p)
		if got := float64(len(f.table.payload())*8) / 100_000; !near(got, c.bits, 0.03) {
			t.Errorf("p %g: %.2f bits a key, want %.1f", c.p, got, c.bits)
		}
	}
}
