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

// removable is one from which keys can be taken out.
type removable interface {
	alone
	Remove(key []byte) bool
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

// removableKinds are those from which keys can be taken out.
var removableKinds = []aloneKind{aloneKinds[1], aloneKinds[3]}

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

// damagedAlone asserts that b gives a *FormatError of the kind, and that the filter stays as it was.
func damagedAlone(t *testing.T, kind aloneKind, b []byte, want error, what string) {
	t.Helper()
	g := kind.of(t, 1, 0.5)
	g.Add([]byte("kept"))
	var format *FormatError
	if err := g.UnmarshalBinary(b); !errors.As(err, &format) || !errors.Is(err, want) {
		t.Fatalf("%s, %s: %v", kind.name, what, err)
	}
	if format.Offset < 0 || format.Offset > int64(len(b)) || format.Reason == "" {
		t.Fatalf("%s, %s: offset %d, reason %q", kind.name, what, format.Offset, format.Reason)
	}
	if g.Len() != 1 || !g.MayContain([]byte("kept")) {
		t.Fatalf("%s, %s: the filter changed", kind.name, what)
	}
}

// smallAlone are the bytes of a filter with all that its format has: slices that were added, fingerprints beside the
// buckets.
func smallAlone(t *testing.T, kind aloneKind) []byte {
	t.Helper()
	f := kind.of(t, 20, 0.05)
	for i := range 50 {
		f.Add([]byte{byte(i)})
	}
	b, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestDamagedBytesLeaveAnAloneFilterAsItWas(t *testing.T) {
	for _, kind := range aloneKinds {
		b := smallAlone(t, kind)
		for cut := range b {
			damagedAlone(t, kind, b[:cut:cut], ErrDamaged, fmt.Sprintf("cut to %d", cut))
		}
		damagedAlone(t, kind, append(b[:len(b):len(b)], 0), ErrDamaged, "a byte more")
		for bit := range len(b) * 8 {
			b[bit/8] ^= 1 << (bit % 8)
			damagedAlone(t, kind, b, ErrDamaged, fmt.Sprintf("bit %d flipped", bit))
			b[bit/8] ^= 1 << (bit % 8)
		}
		for name, at := range map[string]int{"format": offFormat, "family": offFamily, "hash": offHash} {
			c := append([]byte(nil), b...)
			c[at] += 10
			reseal(c)
			damagedAlone(t, kind, c, ErrUnknown, name)
		}
		for _, other := range aloneKinds {
			if other.family != kind.family {
				damagedAlone(t, kind, smallAlone(t, other), ErrUnknown, other.name)
			}
		}
		damagedAlone(t, kind, build(t, Classic(10), make([]Hash, 3)), ErrUnknown, "a table's filter")
		damagedParse(t, b, ErrUnknown, kind.name+" as a table's")
	}
}

// Recipe FLT-10: words of header and payload at their extremes under right checksums: refused, or a filter that can be
// used, and never more memory than the bytes account for.
func TestExtremesInAnAloneFilterAllocateNothing(t *testing.T) {
	for _, kind := range aloneKinds {
		good := smallAlone(t, kind)
		for at := offKeys; at+wordBytes <= len(good); at += wordBytes {
			if at == offPayload {
				continue
			}
			for _, value := range []uint64{0, 1, uint64(len(good)), 1 << 31, 1 << 32, 1<<53 - 1, 1 << 62, 1 << 63,
				math.Float64bits(math.NaN()), math.Float64bits(-10), math.Float64bits(1e300), math.MaxUint64 - 1, math.MaxUint64} {
				b := append([]byte(nil), good...)
				binary.LittleEndian.PutUint64(b[at:], value)
				reseal(b)
				grown := allocated(func() {
					f := kind.zero()
					if err := f.UnmarshalBinary(b); err != nil {
						checkRefusal(t, err)
						return
					}
					f.Add([]byte("one more"))
					if !f.MayContain([]byte("one more")) {
						t.Errorf("%s with %d at %d: a key is denied", kind.name, value, at)
					}
				})
				if grown > 1<<20 {
					t.Fatalf("%s with %d at %d: %d bytes allocated", kind.name, value, at, grown)
				}
			}
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
