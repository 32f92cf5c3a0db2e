package bloom

import (
	"math/rand/v2"
	"testing"
)

// removable is one from which keys can be taken out.
type removable interface {
	alone
	Remove(key []byte) bool
}

// removableKinds are those from which keys can be taken out.
var removableKinds = []aloneKind{aloneKinds[1], aloneKinds[3]}

func TestKeysCanBeTakenOut(t *testing.T) {
	const seed, n = 83, 20_000
	for _, kind := range removableKinds {
		f := kind.of(t, n, 0.001).(removable)
		for i := range n {
			f.Add(numbered(i))
		}
		for i := 0; i < n; i += 2 {
			if !f.Remove(numbered(i)) {
				t.Fatalf("%s: key %d cannot be taken out", kind.name, i)
			}
		}
		maybes := 0
		for i := range n {
			switch maybe := f.MayContain(numbered(i)); {
			case i%2 == 1 && !maybe:
				t.Fatalf("%s: key %d is denied", kind.name, i)
			case i%2 == 0 && maybe:
				maybes++
			}
		}
		if maybes > n/500 || f.Len() != n/2 {
			t.Errorf("%s: %d of %d keys that were taken out are maybe; length %d", kind.name, maybes, n/2, f.Len())
		}
		for i := 1; i < n; i += 2 {
			f.Remove(numbered(i))
		}
		if f.Len() != 0 || f.EstimatedRate() != 0 || countMaybes(f, rand.New(rand.NewPCG(seed, 0)), 1000) != 0 {
			t.Errorf("%s: length %d, rate %g after all keys were taken out", kind.name, f.Len(), f.EstimatedRate())
		}
	}
}

// A random course of adding and taking out, against a map; far beyond what the filters were made for, too.
func TestTakingOutAgainstAMap(t *testing.T) {
	for _, kind := range removableKinds {
		for _, n := range []int{1, 10, 100} {
			seed := rand.Uint64()
			r := rand.New(rand.NewPCG(seed, 0))
			f := kind.of(t, n, 1e-6).(removable)
			model := map[int]int{}
			for range 2000 {
				i := r.IntN(2 * n)
				if kind.family == FamilyCounting {
					i = r.IntN(n)
				}
				if r.IntN(2) == 0 && model[i] < counterTop-1 {
					f.Add(numbered(i))
					model[i]++
				} else if model[i] > 0 {
					if !f.Remove(numbered(i)) {
						t.Fatalf("seed %d, %s: key %d cannot be taken out", seed, kind.name, i)
					}
					model[i]--
				}
				for i, times := range model {
					if times > 0 && !f.MayContain(numbered(i)) {
						t.Fatalf("seed %d, %s of %d: key %d is denied, which is in %d times", seed, kind.name, n, i, times)
					}
				}
			}
		}
	}
}

// Recipe FLT-18: taking out keys that were never added is refused where it can be told, which is all of them at a rate so
// low; and a key that was added twice stays when it is taken out once.
func TestTakingOutWhatWasNeverAdded(t *testing.T) {
	n := 50_000
	if quick() {
		n = 5_000
	}
	for _, kind := range removableKinds {
		f := kind.of(t, n, lowestRate).(removable)
		for i := range n {
			f.Add(numbered(i))
		}
		for i := range n {
			if f.Remove(numbered(n + i)) {
				t.Errorf("%s: key %d, never added, was taken out", kind.name, n+i)
			}
		}
		for i := range n {
			if !f.MayContain(numbered(i)) {
				t.Fatalf("%s: key %d is denied", kind.name, i)
			}
		}
		f.Add([]byte("x"))
		f.Add([]byte("x"))
		if !f.Remove([]byte("x")) || !f.MayContain([]byte("x")) || !f.Remove([]byte("x")) || f.MayContain([]byte("x")) {
			t.Errorf("%s: a key added twice and taken out once, then again", kind.name)
		}
	}
}

// At a higher rate taking out what was never added harms as many keys as the rate says, and the filter knows no better: the
// documentation warns of it.
func TestTakingOutWhatWasNeverAddedHarmsAsOftenAsTheRateSays(t *testing.T) {
	const n, p, tried = 10_000, 0.01, 2_000
	for _, kind := range removableKinds {
		f := kind.of(t, n, p).(removable)
		for i := range n {
			f.Add(numbered(i))
		}
		rate, taken := f.EstimatedRate(), 0
		for i := range tried {
			if f.Remove(numbered(n + i)) {
				taken++
			}
		}
		if _, most := acceptable(rate, 0.05, tried); float64(taken) > most || f.Len() != n-taken {
			t.Errorf("%s: %d of %d taken out at a rate of %g; length %d", kind.name, taken, tried, rate, f.Len())
		}
	}
}
