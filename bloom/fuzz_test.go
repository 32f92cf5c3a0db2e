package bloom

import (
	"bytes"
	"errors"
	"math"
	"path/filepath"
	"testing"
)

func addSeeds(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.filter"))
	if err != nil || len(files) < 5 {
		f.Fatalf("%d seeds, %v", len(files), err)
	}
	for _, file := range files {
		f.Add(read(f, file))
	}
	f.Add([]byte(nil))
	f.Add([]byte(magic))
}

// checkRefusal asserts that an error over bytes is of the type that callers look for.
func checkRefusal(t *testing.T, err error) {
	t.Helper()
	var format *FormatError
	if !errors.As(err, &format) || errors.Is(err, ErrDamaged) == errors.Is(err, ErrUnknown) {
		t.Fatalf("error %v", err)
	}
}

// FuzzParse parses the bytes as they are, and again with their checksums put right, so that what lies behind the checksums
// is reached.
func FuzzParse(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		for range 2 {
			filter, err := Parse(b)
			if err != nil {
				checkRefusal(t, err)
			} else {
				exercise(t, filter, len(b))
			}
			b = bytes.Clone(b)
			reseal(b)
		}
	})
}

func exercise(t *testing.T, filter TableFilter, size int) {
	t.Helper()
	for _, h := range []Hash{{}, {1, 2}, {math.MaxUint64, math.MaxUint64}, Sum([]byte("some key"))} {
		if filter.MayContain(h) && filter.Keys() == 0 {
			t.Fatal("a filter of no keys says maybe")
		}
	}
	if filter.Bits() != uint64(size-headerSize)*8 {
		t.Fatalf("%d bits in %d bytes", filter.Bits(), size)
	}
	if rate := filter.ExpectedRate(); !(rate >= 0 && rate <= 1) {
		t.Fatalf("expected rate %g", rate)
	}
}

// FuzzUnmarshal reads stand-alone filters in the same two ways; what can be read is written back as it was.
func FuzzUnmarshal(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		for range 2 {
			var filter Filter
			if err := filter.UnmarshalBinary(b); err != nil {
				checkRefusal(t, err)
			} else {
				if again, err := filter.MarshalBinary(); err != nil || !bytes.Equal(again, b) {
					t.Fatalf("written back differently (%v)", err)
				}
				if rate := filter.EstimatedRate(); !(rate >= 0 && rate <= 1) {
					t.Fatalf("estimated rate %g", rate)
				}
				filter.Add(b)
				if !filter.MayContain(b) {
					t.Fatal("a key is denied")
				}
			}
			b = bytes.Clone(b)
			reseal(b)
		}
	})
}
