package bloom

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestPoliciesSayWhatTheyAre(t *testing.T) {
	for _, c := range []struct {
		policy Policy
		want   string
		bits   float64
	}{
		{BitsPerKey(10), "bits per key 10", 10},
		{Classic(9.585), "classic 9.585", 9.585},
		{Blocked(0.3), "blocked 0.3", 0.3},
		{Fuse(9), "fuse 9", 9},
		{Cuckoo(12), "cuckoo 12", 12},
		{Ribbon(12.5), "ribbon 12.5", 12.5},
		{None, "none", 0},
		{BitsPerKey(0), "none", 0},
		{Classic(0), "none", 0},
		{Blocked(0), "none", 0},
		{Ribbon(0), "none", 0},
		{ForRate(0.01), "rate 0.01", 9.92},
	} {
		if got := c.policy.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
		if got := c.policy.AskedBits(); got != c.bits {
			t.Errorf("%s: asks %g bits, want %g", c.want, got, c.bits)
		}
		if err := c.policy.Validate(); err != nil {
			t.Errorf("%s: %v", c.want, err)
		}
		if b := c.policy.Builder(Place{}); (b == nil) != (c.bits == 0) {
			t.Errorf("%s: builder %v", c.want, b)
		}
	}
}

// Recipe FSZ-04: numbers outside their domain are refused with the range; those inside have their meaning.
func TestPoliciesRefuseNumbersOutsideTheirDomain(t *testing.T) {
	bad := func(p Policy, value float64) {
		t.Helper()
		var e *ParameterError
		if err := p.Validate(); !errors.As(err, &e) || e.Name == "" || e.Allowed == "" || !strings.HasPrefix(err.Error(), "siftdb: ") {
			t.Errorf("%v: %v", p, err)
		} else if e.Value != value && !math.IsNaN(value) {
			t.Errorf("%v: error names %g", p, e.Value)
		}
		if p.Builder(Place{}) != nil {
			t.Errorf("%v builds a filter", p)
		}
	}
	for _, bits := range []float64{-1, math.NaN(), math.Inf(1), math.Inf(-1), 64.01, 1000, -1e-300} {
		for _, kind := range tableKinds {
			bad(kind.policy(bits), bits)
		}
	}
	for _, rate := range []float64{-0.1, 0, 1e-13, 1e-300, 1, 1.5, 5, math.NaN(), math.Inf(1), math.Inf(-1)} {
		bad(ForRate(rate), rate)
	}
	for _, bits := range []float64{0.3, 0.5, 0.99, 1, 10, 64} {
		for _, kind := range tableKinds {
			if err := kind.policy(bits).Validate(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestForRateKeepsItsPromise(t *testing.T) {
	for _, rate := range []float64{0.999, 0.9, 0.5, 0.3, 0.1, 0.05, 0.01, 0.003, 0.001, 0.000844, 0.0008, 1e-4, 1e-6, 1e-9, 1e-12} {
		p := ForRate(rate)
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		if bits := p.AskedBits(); !(bits > 0 && bits <= maxBitsPerKey) {
			t.Fatalf("rate %g: %g bits", rate, bits)
		}
		// Many keys by theory, so that rates no test could measure are held as well.
		const n = 100_000_000
		family, bits := bitsForRate(rate)
		var got float64
		if family == FamilyClassic {
			m, _ := classicBits(n, bits)
			got = Rate(m, n, OptimalProbes(m, n))
		} else {
			lines, _ := blockedLines(n, bits)
			got = BlockedRate(lines, n, BlockedProbes(lines, n))
		}
		if !(got <= rate*1.0001) {
			t.Errorf("rate %g: %g by theory, at %g bits of %v", rate, got, bits, family)
		}
		if got < rate*0.97 && bits > 0.2 {
			t.Errorf("rate %g: %g bits of %v are too many, they give %g", rate, bits, family, got)
		}
	}
	// And true filters of a few sizes.
	for _, n := range []int{1, 10, 100, 1000, 20_000} {
		f := parse(t, build(t, ForRate(0.01), randomHashes(rand.New(rand.NewPCG(uint64(n), 1)), n)))
		if rate := f.ExpectedRate(); rate > 0.01*1.0001 {
			t.Errorf("%d keys for 1 %%: expected rate %g", n, rate)
		}
	}
}

func TestForRateAsksMoreBitsForFewerMistakes(t *testing.T) {
	last := 0.0
	for rate := 0.9; rate > 1e-12; rate *= 0.8 {
		bits := ForRate(rate).AskedBits()
		if bits < last && !(last == blockedPays || bits > 13) {
			t.Errorf("rate %g: %g bits after %g", rate, bits, last)
		}
		last = bits
	}
}

func TestPoliciesAreEqualWhenTheyAskForTheSame(t *testing.T) {
	if BitsPerKey(10) != BitsPerKey(10) || Ribbon(8) != Ribbon(8) || ForRate(0.01) != ForRate(0.01) || None != Blocked(0) {
		t.Error("equal policies differ")
	}
	if Classic(10) == Blocked(10) || Blocked(10) == BitsPerKey(10) || Classic(10) == Classic(11) || Ribbon(10) == BitsPerKey(10) {
		t.Error("different policies are equal")
	}
}

func TestReasonsHaveNames(t *testing.T) {
	for r, want := range map[Reason]string{ReasonFlush: "flush", ReasonRecovery: "recovery", ReasonCompaction: "compaction", 200: "unknown"} {
		if r.String() != want {
			t.Errorf("%v, want %s", r, want)
		}
	}
	for f, want := range map[Family]string{FamilyClassic: "classic", FamilyBlocked: "blocked", FamilyRibbon: "ribbon", FamilyStandalone: "stand-alone", 9: "family 9"} {
		if f.String() != want {
			t.Errorf("%v, want %s", f, want)
		}
	}
}
