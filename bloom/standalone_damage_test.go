package bloom

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"testing"

	"siftdb/internal/allocs"
)

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
				grown := allocs.Bytes(func() {
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

// Fields of the header that no filter of so many bytes can have.
func TestImpossibleHeadersOfAloneFiltersAreDamage(t *testing.T) {
	for _, kind := range aloneKinds {
		good := smallAlone(t, kind)
		for field, values := range map[int][]uint64{
			offKeys:        {1 << 63, math.MaxUint64 - 1, math.MaxUint64},
			offAsked:       {1, 1 << 63, math.Float64bits(10)},
			offLength:      {0, 1, uint64(len(good)) + 1, math.MaxUint64 - 1, math.MaxUint64},
			offParams:      {0, 1 << 32, math.MaxUint64 - 1, math.MaxUint64},
			offParams + 8:  {maxPackedWidth + 1, math.MaxUint64},
			offParams + 16: {1 << 40, math.MaxUint64},
		} {
			for _, value := range values {
				b := append([]byte(nil), good...)
				binary.LittleEndian.PutUint64(b[field:], value)
				reseal(b)
				damagedAlone(t, kind, b, ErrDamaged, fmt.Sprintf("%d at %d", value, field))
			}
		}
	}
}
