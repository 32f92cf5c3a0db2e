package bloom

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"
)

// alone is what all filters that stand alone can do.
type alone interface {
	Add(key []byte)
	MayContain(key []byte) bool
	Len() int
	EstimatedRate() float64
	MarshalBinary() ([]byte, error)
	UnmarshalBinary(b []byte) error
}

// aloneKind is a way of making one.
type aloneKind struct {
	name   string
	family Family
	make   func(n int, p float64) (alone, error)
	zero   func() alone
	exact  bool // the rate of a full filter is what was asked for, and not lower
}

// aloneKinds are all of them; the suite runs over each.
var aloneKinds = []aloneKind{
	{"standalone", FamilyStandalone, made(New), func() alone { return new(Filter) }, true},
	{"counting", FamilyCounting, made(NewCounting), func() alone { return new(Counting) }, true},
	{"scalable", FamilyScalable, made(NewScalable), func() alone { return new(Scalable) }, false},
	{"cuckoo-filter", FamilyRemovable, made(NewCuckoo), func() alone { return new(CuckooFilter) }, false},
}

func made[F alone](make func(int, float64) (F, error)) func(int, float64) (alone, error) {
	return func(n int, p float64) (alone, error) {
		f, err := make(n, p)
		if err != nil {
			return nil, err
		}
		return f, nil
	}
}

func (k aloneKind) of(t testing.TB, n int, p float64) alone {
	t.Helper()
	f, err := k.make(n, p)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// numbered is key i; its top bit is clear.
func numbered(i int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(i)) }

// absentKey is a key that numbered never gives.
func absentKey(r *rand.Rand) []byte { return binary.BigEndian.AppendUint64(nil, r.Uint64()|1<<63) }

func countMaybes(f alone, r *rand.Rand, probes int) (maybes int) {
	for range probes {
		if f.MayContain(absentKey(r)) {
			maybes++
		}
	}
	return maybes
}

func TestAloneFiltersHoldWhatWasAdded(t *testing.T) {
	for _, kind := range aloneKinds {
		for _, n := range []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 63, 64, 65} {
			for _, p := range []float64{0.999, 0.1, lowestRate} {
				f := kind.of(t, n, p)
				if f.MayContain(nil) || f.MayContain([]byte("absent")) || f.Len() != 0 || f.EstimatedRate() != 0 {
					t.Fatalf("%s: an empty filter holds something", kind.name)
				}
				f.Add(nil)
				for i := range n {
					f.Add(numbered(i))
				}
				for i := range n {
					if !f.MayContain(numbered(i)) {
						t.Fatalf("%s, n %d, p %g: key %d is denied", kind.name, n, p, i)
					}
				}
				if !f.MayContain(nil) || f.Len() != n+1 {
					t.Fatalf("%s, n %d, p %g: length %d, or the empty key is denied", kind.name, n, p, f.Len())
				}
			}
		}
	}
}

// The rate is what was asked for once the filter is full, and EstimatedRate knows it: then, and at twice and ten times as
// many keys.
func TestAloneFiltersKeepAndKnowTheirRate(t *testing.T) {
	const seed = 81
	probes, largest := 50_000, 5000
	if quick() {
		probes, largest = 2_000, 500
	}
	for _, kind := range aloneKinds {
		for _, p := range []float64{0.5, 0.05, 0.01, 0.001} {
			for _, n := range []int{100, largest} {
				r := rand.New(rand.NewPCG(seed, uint64(n)))
				f := kind.of(t, n, p)
				added := 0
				for _, times := range []int{1, 2, 10} {
					for ; added < times*n; added++ {
						f.Add(numbered(added))
					}
					name := fmt.Sprintf("seed %d, %s, p %g, %d of %d keys", seed, kind.name, p, added, n)
					estimated := f.EstimatedRate()
					if times == 1 && (estimated > 1.25*p || kind.exact && estimated < 0.75*p) {
						t.Errorf("%s: estimates %g", name, estimated)
					}
					if kind.family == FamilyScalable && estimated > 1.05*p {
						t.Errorf("%s: estimates %g", name, estimated)
					}
					// Bits that are set are counted, not guessed; what is left is double hashing's excess.
					least, most := acceptable(estimated, 0.05, probes)
					if maybes := float64(countMaybes(f, r, probes)); maybes < least || maybes > most {
						t.Errorf("%s: %g maybes, estimated are %.0f to %.0f", name, maybes, least, most)
					}
				}
			}
		}
	}
}

// Recipe FSZ-05: told to expect nothing, a filter still keeps its promise for a thousand keys.
func TestAloneFiltersThatExpectNoKeysHaveRoom(t *testing.T) {
	const probes = 100_000
	for _, kind := range aloneKinds {
		f := kind.of(t, 0, 0.01)
		for i, n := range []int{0, 1, 1000} {
			for f.Len() < n {
				f.Add(numbered(f.Len()))
			}
			for key := range n {
				if !f.MayContain(numbered(key)) {
					t.Fatalf("%s: key %d of %d is denied", kind.name, key, n)
				}
			}
			r := rand.New(rand.NewPCG(82, uint64(i)))
			_, most := acceptable(0.0101, 0.05, probes)
			if maybes := float64(countMaybes(f, r, probes)); maybes > most {
				t.Errorf("%s: %g of %d are maybe after %d keys", kind.name, maybes, probes, n)
			}
		}
	}
}

func TestAloneFiltersSurviveTheirBytes(t *testing.T) {
	for _, kind := range aloneKinds {
		for _, n := range []int{0, 1, 2, 63, 1000, 3000} {
			f := kind.of(t, 1000, 0.01)
			for i := range n {
				f.Add(numbered(i))
			}
			b, err := f.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			g := kind.zero()
			if err := g.UnmarshalBinary(b); err != nil {
				t.Fatalf("%s, n %d: %v", kind.name, n, err)
			}
			clear(b)
			if g.Len() != n || g.EstimatedRate() != f.EstimatedRate() {
				t.Errorf("%s, n %d: read back with length %d, rate %g, want %g", kind.name, n, g.Len(), g.EstimatedRate(), f.EstimatedRate())
			}
			// Both go on alike, for many keys.
			for i := n; i < n+2000; i++ {
				f.Add(numbered(i))
				g.Add(numbered(i))
			}
			after, _ := f.MarshalBinary()
			again, _ := g.MarshalBinary()
			if string(after) != string(again) {
				t.Errorf("%s, n %d: a filter read back takes keys differently", kind.name, n)
			}
			for i := range n + 2000 {
				if !g.MayContain(numbered(i)) {
					t.Fatalf("%s, n %d: key %d is denied after reading back", kind.name, n, i)
				}
			}
		}
	}
}

func TestZeroFiltersNeverDenyWhatWasAdded(t *testing.T) {
	for _, kind := range aloneKinds {
		f := kind.zero()
		if f.MayContain([]byte("x")) || f.Len() != 0 || f.EstimatedRate() != 0 {
			t.Errorf("%s: the zero filter holds something", kind.name)
		}
		f.Add([]byte("x"))
		if !f.MayContain([]byte("x")) || f.Len() != 1 || f.EstimatedRate() != 1 {
			t.Errorf("%s: the zero filter lost a key", kind.name)
		}
		b, err := f.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		g := kind.of(t, 5, 0.1)
		if err := g.UnmarshalBinary(b); err != nil || !g.MayContain([]byte("x")) || g.Len() != 1 {
			t.Errorf("%s read back: %v, length %d", kind.name, err, g.Len())
		}
		if r, ok := f.(removable); ok && (!r.Remove([]byte("x")) || r.Remove([]byte("x")) || r.Len() != 0 || r.MayContain([]byte("x"))) {
			t.Errorf("%s: the key cannot be taken out of the zero filter", kind.name)
		}
	}
}

func TestAloneFiltersRefuseWhatTheyCannotKeep(t *testing.T) {
	var e *ParameterError
	for _, kind := range aloneKinds {
		for _, p := range []float64{-0.1, 0, 1, 1.5, 5, 1e-13, math.NaN(), math.Inf(1), math.Inf(-1)} {
			if f, err := kind.make(100, p); f != nil || !errors.As(err, &e) {
				t.Errorf("%s, p %g: %v", kind.name, p, err)
			}
		}
		for _, n := range []int{-1, math.MinInt} {
			if f, err := kind.make(n, 0.01); f != nil || !errors.As(err, &e) {
				t.Errorf("%s, n %d: %v", kind.name, n, err)
			}
		}
		if f, err := kind.make(math.MaxInt, 1e-9); f != nil || !errors.As(err, &e) {
			t.Errorf("%s of more bits than can be: %v", kind.name, err)
		}
	}
}

func TestGoldenAloneFilters(t *testing.T) {
	keys := goldenKeys()
	for _, kind := range aloneKinds {
		n := len(keys)
		if !kind.exact {
			n /= 2 // so that one grows, and the other has fingerprints beside its buckets
		}
		f := kind.of(t, n, 0.001)
		for _, key := range keys {
			f.Add(key)
		}
		written, err := f.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join("testdata", kind.name+".filter")
		golden(t, file, written)
		g := kind.zero()
		if err := g.UnmarshalBinary(read(t, file)); err != nil {
			t.Fatal(err)
		}
		for _, key := range keys {
			if !g.MayContain(key) {
				t.Errorf("%s denies %x", file, key)
			}
		}
	}
}

func BenchmarkAlone(b *testing.B) {
	const n = 100_000
	for _, kind := range aloneKinds {
		f := kind.of(b, n, 0.01)
		keys := make([][]byte, n)
		for i := range keys {
			keys[i] = numbered(i)
			f.Add(keys[i])
		}
		absent := make([][]byte, n)
		r := rand.New(rand.NewPCG(84, 0))
		for i := range absent {
			absent[i] = absentKey(r)
		}
		bytes, _ := f.MarshalBinary()
		for name, asked := range map[string][][]byte{"present": keys, "absent": absent} {
			b.Run(kind.name+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					f.MayContain(asked[i%n])
					i++
				}
				b.ReportMetric(float64(len(bytes))*8/n, "bits/key")
			})
		}
		b.Run(kind.name+"/add", func(b *testing.B) {
			var f alone
			for i := 0; b.Loop(); i++ {
				if i%n == 0 {
					f = kind.of(b, n, 0.01)
				}
				f.Add(keys[i%n])
			}
		})
	}
}
