package bloom

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
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
