package bloom

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func newFilter(t testing.TB, n int, p float64) *Filter {
	t.Helper()
	f, err := New(n, p)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestFilterHoldsWhatWasAdded(t *testing.T) {
	for n := range 70 {
		for _, p := range []float64{0.9, 0.1, 0.001} {
			f := newFilter(t, n, p)
			for _, set := range keySets() {
				if f.MayContain(set.key(0)) && f.Len() == 0 {
					t.Fatalf("an empty filter says maybe")
				}
			}
			if f.EstimatedRate() != 0 {
				t.Fatalf("an empty filter estimates %g", f.EstimatedRate())
			}
			for i := range n {
				f.Add(fmt.Appendf(nil, "key %d", i))
			}
			for i := range n {
				if !f.MayContain(fmt.Appendf(nil, "key %d", i)) {
					t.Fatalf("n %d, p %g: key %d is denied", n, p, i)
				}
			}
			if f.Len() != n {
				t.Fatalf("length %d of %d", f.Len(), n)
			}
		}
	}
}

func TestFilterSurvivesItsBytes(t *testing.T) {
	for _, n := range []int{0, 1, 2, 63, 1000} {
		f := newFilter(t, n, 0.01)
		for i := range n {
			f.Add(binary.BigEndian.AppendUint32(nil, uint32(i)))
		}
		b, err := f.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var g Filter
		if err := g.UnmarshalBinary(b); err != nil {
			t.Fatal(err)
		}
		clear(b)
		if g.Len() != n || g.EstimatedRate() != f.EstimatedRate() {
			t.Errorf("n %d: read back with length %d, rate %g, want %g", n, g.Len(), g.EstimatedRate(), f.EstimatedRate())
		}
		// Both go on alike.
		f.Add([]byte("one more"))
		g.Add([]byte("one more"))
		if g.EstimatedRate() != f.EstimatedRate() || !g.MayContain([]byte("one more")) {
			t.Errorf("n %d: a filter read back takes keys differently", n)
		}
		for i := range n {
			if !g.MayContain(binary.BigEndian.AppendUint32(nil, uint32(i))) {
				t.Fatalf("n %d: key %d is denied after reading back", n, i)
			}
		}
	}
}

func TestTheZeroFilterNeverDeniesWhatWasAdded(t *testing.T) {
	var f Filter
	if f.MayContain([]byte("x")) || f.Len() != 0 || f.EstimatedRate() != 0 {
		t.Error("the zero filter holds something")
	}
	f.Add([]byte("x"))
	if !f.MayContain([]byte("x")) || f.Len() != 1 || f.EstimatedRate() != 1 {
		t.Error("the zero filter lost a key")
	}
	b, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var g Filter
	if err := g.UnmarshalBinary(b); err != nil || !g.MayContain([]byte("x")) || g.Len() != 1 {
		t.Errorf("read back: %v, length %d", err, g.Len())
	}
}

func TestNewRefusesWhatItCannotKeep(t *testing.T) {
	var e *ParameterError
	for _, p := range []float64{-0.1, 0, 1, 1.5, 5, 1e-13, math.NaN(), math.Inf(1), math.Inf(-1)} {
		if f, err := New(100, p); f != nil || !errors.As(err, &e) {
			t.Errorf("p %g: %v", p, err)
		}
	}
	for _, n := range []int{-1, math.MinInt} {
		if f, err := New(n, 0.01); f != nil || !errors.As(err, &e) {
			t.Errorf("n %d: %v", n, err)
		}
	}
	if f, err := New(math.MaxInt, 1e-9); f != nil || !errors.As(err, &e) {
		t.Errorf("more bits than can be: %v", err)
	}
}

// Recipe FSZ-05: told to expect nothing, a filter still keeps its promise for a thousand keys.
func TestAFilterThatExpectsNoKeysHasRoom(t *testing.T) {
	f := newFilter(t, 0, 0.01)
	if f.bits.probes > maxProbes {
		t.Errorf("%d probes", f.bits.probes)
	}
	r := rand.New(rand.NewPCG(12, 0))
	for i := range 1000 {
		f.Add(binary.BigEndian.AppendUint64(nil, uint64(i)))
	}
	if rate := f.EstimatedRate(); rate > 0.0105 {
		t.Errorf("estimates %g after 1000 keys", rate)
	}
	hits := 0
	for range 100_000 {
		if f.MayContain(binary.BigEndian.AppendUint64(nil, r.Uint64()|1<<63)) {
			hits++
		}
	}
	if _, most := acceptable(0.0101, spreadOfClassic(f.bits.m, 1000, f.bits.probes), 100_000); float64(hits) > most {
		t.Errorf("%d of 100 000 are maybe", hits)
	}
}

func TestEstimatedRateFollowsOverfilling(t *testing.T) {
	// Reference: built for 1 %, then over-filled.
	const n = 20_000
	f := newFilter(t, n, 0.01)
	added := 0
	for _, c := range []struct{ times, want float64 }{{1, 0.01004}, {1.25, 0.028}, {1.5, 0.058}, {2, 0.157}, {3, 0.436}, {5, 0.83}, {10, 0.995}} {
		for ; added < int(c.times*n); added++ {
			key := binary.BigEndian.AppendUint64(nil, uint64(added))
			f.Add(key)
			f.Add(key) // twice: it must not count for the rate
		}
		if got := f.EstimatedRate(); !near(got, c.want, 0.04) {
			t.Errorf("%g times the keys: estimates %g, want %g", c.times, got, c.want)
		}
	}
	if f.Len() != 2*added {
		t.Errorf("length %d after %d calls", f.Len(), 2*added)
	}
}

func TestDamagedFilterBytesLeaveTheFilterAsItWas(t *testing.T) {
	f := newFilter(t, 50, 0.01)
	for i := range 50 {
		f.Add([]byte{byte(i)})
	}
	b, _ := f.MarshalBinary()
	refused := func(b []byte, kind error, what string) {
		t.Helper()
		g := newFilter(t, 1, 0.5)
		g.Add([]byte("kept"))
		var format *FormatError
		if err := g.UnmarshalBinary(b); !errors.As(err, &format) || !errors.Is(err, kind) {
			t.Fatalf("%s: %v", what, err)
		}
		if g.Len() != 1 || !g.MayContain([]byte("kept")) {
			t.Fatalf("%s: the filter changed", what)
		}
	}
	for cut := range b {
		refused(b[:cut:cut], ErrDamaged, fmt.Sprintf("cut to %d", cut))
	}
	refused(append(b[:len(b):len(b)], 0), ErrDamaged, "a byte more")
	for bit := range len(b) * 8 {
		b[bit/8] ^= 1 << (bit % 8)
		refused(b, ErrDamaged, fmt.Sprintf("bit %d flipped", bit))
		b[bit/8] ^= 1 << (bit % 8)
	}
	for field, values := range map[int][]uint64{
		offKeys:        {0, 1, math.MaxUint64, math.MaxUint64 - 1},
		offAsked:       {1, math.MaxUint64, 1 << 63},
		offLength:      {0, 1, uint64(len(b)) + 1, math.MaxUint64, math.MaxUint64 - 1},
		offParams:      {0, 1, f.bits.m + 64, 1 << 32, math.MaxUint64, math.MaxUint64 - 1},
		offParams + 8:  {0, maxProbes + 1, math.MaxUint64},
		offParams + 16: {1, math.MaxUint64},
	} {
		for _, value := range values {
			c := append([]byte(nil), b...)
			binary.LittleEndian.PutUint64(c[field:], value)
			reseal(c)
			what := fmt.Sprintf("%d at %d", value, field)
			if grown := allocated(func() { refused(c, ErrDamaged, what) }); grown > 64<<10 {
				t.Fatalf("%s: %d bytes allocated", what, grown)
			}
		}
	}
	for name, at := range map[string]int{"format": offFormat, "family": offFamily, "hash": offHash} {
		c := append([]byte(nil), b...)
		c[at] = 1 + c[at]
		reseal(c)
		refused(c, ErrUnknown, name)
	}
	refused(build(t, Classic(10), make([]Hash, 3)), ErrUnknown, "a table's filter")
	damagedParse(t, b, ErrUnknown, "a stand-alone filter as a table's")
}
