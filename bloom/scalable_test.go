package bloom

import (
	"errors"
	"math"
	"testing"
)

func newScalableOf(t testing.TB, n int, p float64, g Growth) *Scalable {
	t.Helper()
	s, err := NewScalableBy(n, p, g)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *Scalable) sizeInBits() (bits uint64) {
	for _, slice := range s.slices {
		bits += slice.bits.m
	}
	return bits
}

// Recipe FSZ-07: a filter that grew keeps its rate, and takes at most twice the memory of one made for as many keys.
func TestScalableKeepsRateAndMemory(t *testing.T) {
	for _, p := range []float64{0.01, 0.001} {
		for _, n := range []int{1000, 20_000} {
			s := newScalableOf(t, n, p, defaultGrowth)
			for _, times := range []int{1, 2, 10} {
				for s.Len() < times*n {
					s.Add(numbered(s.Len()))
				}
				if rate := s.EstimatedRate(); rate > p*1.02 {
					t.Errorf("p %g, %d times %d keys: estimates %g", p, times, n, rate)
				}
				if is, best := s.sizeInBits(), OptimalBits(uint64(times*n), p); is > 2*best {
					t.Errorf("p %g, %d times %d keys: %d bits, %.2f times those of a filter made for them", p, times, n, is, float64(is)/float64(best))
				}
			}
		}
	}
}

// However far it grows, the rates add up to no more than what was asked for.
func TestScalableGrowsFar(t *testing.T) {
	n := 300_000
	if quick() {
		n = 30_000
	}
	for _, g := range []Growth{defaultGrowth, {1, 0.9}, {2, 0.5}, {4, 0.1}} {
		s := newScalableOf(t, n/100, 0.01, g)
		for i := range n {
			s.Add(numbered(i))
		}
		for i := range n {
			if !s.MayContain(numbered(i)) {
				t.Fatalf("%+v: key %d is denied", g, i)
			}
		}
		if rate := s.EstimatedRate(); rate > 0.01*1.02 {
			t.Errorf("%+v: estimates %g in %d slices", g, rate, len(s.slices))
		}
	}
}

// A key that comes again takes no room.
func TestScalableDoesNotGrowOverOneKey(t *testing.T) {
	s := newScalableOf(t, 10, 0.01, defaultGrowth)
	for range 10_000 {
		s.Add([]byte("again"))
	}
	if len(s.slices) != 1 || s.Len() != 10_000 {
		t.Errorf("%d slices, length %d", len(s.slices), s.Len())
	}
}

func TestScalableSlicesArePublished(t *testing.T) {
	type file struct {
		Scalable struct {
			Cases []struct {
				P, R, S float64
				N0      int
				Slices  []struct {
					I        int
					Capacity uint64
					Rate     float64 `json:"p_i"`
					M        uint64
					K        int
					Compound float64 `json:"compound_fpr"`
				}
			}
		} `json:"scalable_bloom"`
	}
	cases := vectors[file](t, "variants.json").Scalable.Cases
	for _, c := range cases {
		s := newScalableOf(t, c.N0, c.P, Growth{Factor: c.S, Tightening: c.R})
		none := 1.0
		for _, want := range c.Slices {
			if want.M > 1<<27 {
				break
			}
			if want.I == len(s.slices) {
				s.slices[want.I-1].room = 0
				s.grow()
			}
			got := s.slices[want.I]
			// Small slices are larger than the textbook's by what double hashing costs there.
			if got.capacity != want.Capacity || !near(s.sliceRate(want.I), want.Rate, 1e-4) || got.bits.probes < want.K-1 || got.bits.probes > want.K+1 ||
				got.bits.m < want.M || float64(got.bits.m) > 1.07*float64(want.M) || want.Capacity > 20_000 && float64(got.bits.m) > 1.02*float64(want.M) {
				t.Errorf("P %g, r %g, s %g: slice %d of %d keys at %g has %d bits, %d probes; published are %+v", c.P, c.R, c.S, want.I, got.capacity,
					s.sliceRate(want.I), got.bits.m, got.bits.probes, want)
			}
			none *= 1 - s.sliceRate(want.I)
			if !near(1-none, want.Compound, 1e-3) {
				t.Errorf("P %g, r %g, s %g: %g after slice %d, published is %g", c.P, c.R, c.S, 1-none, want.I, want.Compound)
			}
		}
	}
	if len(cases) != 4 {
		t.Errorf("%d cases", len(cases))
	}
}

func TestGrowthOutsideItsDomainIsRefused(t *testing.T) {
	for _, g := range []Growth{{}, {0.9, 0.5}, {5, 0.5}, {math.NaN(), 0.5}, {2, 0}, {2, 0.99}, {2, 1}, {2, math.NaN()}, {math.Inf(1), 0.5}} {
		var e *ParameterError
		if s, err := NewScalableBy(10, 0.01, g); s != nil || !errors.As(err, &e) {
			t.Errorf("%+v: %v", g, err)
		}
	}
}

// Where the next slice would be larger than a filter can be, the last one takes all keys, and the rate is told.
func TestScalableThatCannotGrow(t *testing.T) {
	s := newScalableOf(t, 10, 0.01, defaultGrowth)
	s.slices[0].capacity = maxBits
	s.slices[0].room = 0
	for i := range 100 {
		s.Add(numbered(i))
	}
	if len(s.slices) != 1 || s.EstimatedRate() < 0.1 {
		t.Errorf("%d slices, estimates %g", len(s.slices), s.EstimatedRate())
	}
	for i := range 100 {
		if !s.MayContain(numbered(i)) {
			t.Fatalf("key %d is denied", i)
		}
	}
}
