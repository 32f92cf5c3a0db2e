package bloom

import (
	"bytes"
	"errors"
	"math"
	"path/filepath"
	"testing"

	"siftdb/internal/allocs"
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
			var filter TableFilter
			var err error
			allocs.Little(t, 4, len(b), 64<<10, func() { filter, err = Parse(b) })
			if err != nil {
				checkRefusal(t, err)
			} else {
				exercise(t, filter, len(b))
			}
			b = bytes.Clone(b)
			resealAny(b)
		}
	})
}

// resealAny makes all checksums right for whatever b holds now.
func resealAny(b []byte) {
	if len(b) >= headerSize && Family(b[offFamily]) == FamilyRibbon {
		resealRibbon(b)
		return
	}
	reseal(b)
}

// FuzzElastic reads a head, and then the planes, each by itself, first as they are and then with their checksums put right.
func FuzzElastic(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		for range 2 {
			size, err := HeadBytes(b)
			if err != nil {
				checkRefusal(t, err)
			}
			var e *Elastic
			allocs.Little(t, 16, len(b), 64<<10, func() { e, err = ParseElastic(b[:min(len(b), max(size, headerSize))]) })
			if err != nil {
				checkRefusal(t, err)
			} else {
				exercisePlanes(t, e, b)
			}
			b = bytes.Clone(b)
			resealAny(b)
		}
	})
}

func exercisePlanes(t *testing.T, e *Elastic, b []byte) {
	t.Helper()
	loaded := 0
	for i := range e.Planes() {
		offset, length := e.PlaneRange(i)
		if offset < headerSize || length < planeChecksumSize {
			t.Fatalf("plane %d at %d with %d bytes", i, offset, length)
		}
		if offset+length > int64(len(b)) {
			break
		}
		with, err := e.With(i, b[offset:][:length])
		if err != nil {
			checkRefusal(t, err)
			continue
		}
		e = with
		loaded++
	}
	if e.Resident() != loaded || e.Bits() != uint64(loaded)*e.PlaneBits() {
		t.Fatalf("%d planes loaded, %d resident", loaded, e.Resident())
	}
	for i := range e.Planes() {
		for _, h := range []Hash{{}, {1, 2}, {math.MaxUint64, math.MaxUint64}, {math.MaxUint64, 0}, Sum(b)} {
			if !e.MayContain(h) && e.Resident() == 0 {
				t.Fatal("a filter without planes says no")
			}
		}
		e = e.Without(i)
	}
}

// FuzzPlane gives any bytes to a filter as any plane: only its own are taken.
func FuzzPlane(f *testing.F) {
	own := read(f, filepath.Join("testdata", "ribbon.filter"))
	head := headOf(f, own)
	f.Add(uint8(0), []byte(nil))
	for i := range head.Planes() {
		f.Add(uint8(i), planeOf(head, own, i))
	}
	f.Fuzz(func(t *testing.T, i uint8, plane []byte) {
		var with *Elastic
		var err error
		allocs.Little(t, 4, len(plane), 64<<10, func() { with, err = head.With(int(i), plane) })
		if err != nil {
			checkRefusal(t, err)
			return
		}
		if !bytes.Equal(plane, planeOf(head, own, int(i))) || !with.Has(int(i)) {
			t.Fatalf("plane %d is taken", i)
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
	_, elastic := filter.(*Elastic) // has what is not in planes, and leaves out planes that are damaged
	if has := uint64(size-headerSize) * 8; filter.Bits() != has && !(elastic && filter.Bits() < has) {
		t.Fatalf("%d bits in %d bytes", filter.Bits(), size)
	}
	if rate := filter.ExpectedRate(); !(rate >= 0 && rate <= 1) {
		t.Fatalf("expected rate %g", rate)
	}
}

// FuzzUnmarshal reads stand-alone filters in the same two ways, as one of each kind; what can be read is written back as it
// was, and can be used.
func FuzzUnmarshal(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		for range 2 {
			for _, kind := range aloneKinds {
				filter := kind.zero()
				var err error
				allocs.Little(t, 8, len(b), 64<<10, func() { err = filter.UnmarshalBinary(b) })
				if err != nil {
					checkRefusal(t, err)
					continue
				}
				if again, err := filter.MarshalBinary(); err != nil || !bytes.Equal(again, b) {
					t.Fatalf("%s: written back differently (%v)", kind.name, err)
				}
				exerciseAlone(t, kind, filter, b)
			}
			b = bytes.Clone(b)
			reseal(b)
		}
	})
}

func exerciseAlone(t *testing.T, kind aloneKind, filter alone, key []byte) {
	t.Helper()
	if rate := filter.EstimatedRate(); !(rate >= 0 && rate <= 1) {
		t.Fatalf("%s: estimated rate %g", kind.name, rate)
	}
	filter.Add(key)
	filter.Add(key)
	if !filter.MayContain(key) {
		t.Fatalf("%s: a key is denied", kind.name)
	}
	if r, ok := filter.(removable); ok && (!r.Remove(key) || !r.MayContain(key)) {
		t.Fatalf("%s: a key that was added twice and taken out once", kind.name)
	}
}
