package bloom

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"siftdb/internal/allocs"
)

// refusedPlane asserts that bytes are not taken for plane i.
func refusedPlane(t *testing.T, e *Elastic, i int, plane []byte, what string) {
	t.Helper()
	with, err := e.With(i, plane)
	var format *FormatError
	if with != nil || !errors.As(err, &format) || !errors.Is(err, ErrDamaged) {
		t.Fatalf("%s: filter %v, error %v", what, with, err)
	}
	if i >= 0 && i < e.Planes() {
		if offset, length := e.PlaneRange(i); format.Offset < offset || format.Offset >= offset+length {
			t.Fatalf("%s: offset %d outside of the plane", what, format.Offset)
		}
	}
}

func TestADamagedPlaneIsLeftOutAndTheOthersAnswer(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	hashes, absent := randomHashes(r, 2100), randomHashes(r, 100_000)
	e, b := elasticOf(t, hashes)
	for i := range e.Planes() {
		plane := planeOf(e, b, i)
		for _, bit := range []int{0, 77, len(plane)*8 - 33, len(plane)*8 - 1} { // the bits' ends, the checksum's end
			plane[bit/8] ^= 1 << (bit % 8)
			what := fmt.Sprintf("plane %d with bit %d flipped", i, bit)
			refusedPlane(t, headOf(t, b), i, plane, what)
			left := parse(t, b).(*Elastic)
			if left.Has(i) || left.Resident() != e.Planes()-1 || !slices.Equal(DamagedPlanes(b), []int{i}) {
				t.Fatalf("%s: %d planes resident, damaged %v", what, left.Resident(), DamagedPlanes(b))
			}
			if n := denied(left, hashes); n != 0 {
				t.Fatalf("%s: %d keys are denied", what, n)
			}
			plane[bit/8] ^= 1 << (bit % 8)
		}
	}
	if n := DamagedPlanes(b); n != nil {
		t.Fatalf("whole, but damaged are %v", n)
	}
	// With half of them gone the rate is that of the other half.
	for i := range 8 {
		planeOf(e, b, 2*i)[i] ^= 0x10
	}
	left := parse(t, b).(*Elastic)
	least, most := acceptable(1./256, 0, len(absent))
	if hits := float64(countHits(left, absent)); left.Resident() != 8 || hits < least || hits > most {
		t.Errorf("%d planes left: %g hits, accepted are %.0f to %.0f", left.Resident(), hits, least, most)
	}
	for i := range 8 {
		planeOf(e, b, 2*i+1)[i] ^= 0x10
	}
	if left := parse(t, b); denied(left, absent) != 0 || left.Bits() != 0 || len(DamagedPlanes(b)) != maxPlanes {
		t.Error("a filter of damaged planes only says no")
	}
}

func TestEveryFlippedBitOfARibbonIsNoticed(t *testing.T) {
	hashes := randomHashes(rand.New(rand.NewPCG(2, 0)), ribbonLeast)
	e, b := elasticOf(t, hashes)
	head, _ := HeadBytes(b)
	step := 1
	if quick() {
		step = 7
	}
	for bit := 0; bit < len(b)*8; bit += step {
		b[bit/8] ^= 1 << (bit % 8)
		what := fmt.Sprintf("bit %d flipped", bit)
		if bit < head*8 {
			damagedParse(t, b, ErrDamaged, what)
			if _, err := ParseElastic(b[:head]); err == nil || DamagedPlanes(b) != nil {
				t.Fatalf("%s: the head is read", what)
			}
		} else if i := (bit/8 - head) / int(e.PlaneBits()/8+planeChecksumSize); !slices.Equal(DamagedPlanes(b), []int{i}) {
			t.Fatalf("%s: damaged %v, want %d", what, DamagedPlanes(b), i)
		}
		b[bit/8] ^= 1 << (bit % 8)
	}
}

func TestEveryTruncationOfARibbonIsDamage(t *testing.T) {
	_, b := elasticOf(t, randomHashes(rand.New(rand.NewPCG(3, 0)), ribbonLeast))
	head, _ := HeadBytes(b)
	for cut := range b {
		damagedParse(t, b[:cut:cut], ErrDamaged, fmt.Sprintf("cut to %d bytes", cut))
		if DamagedPlanes(b[:cut:cut]) != nil {
			t.Fatalf("cut to %d bytes, planes are told apart", cut)
		}
		if e, err := ParseElastic(b[:cut:cut]); cut < head && (e != nil || !errors.Is(err, ErrDamaged)) {
			t.Fatalf("a head cut to %d bytes: %v", cut, err)
		}
		if n, err := HeadBytes(b[:cut:cut]); cut < HeaderSize && (n != 0 || !errors.Is(err, ErrDamaged)) {
			t.Fatalf("a header cut to %d bytes: %v", cut, err)
		}
	}
	damagedParse(t, append(b[:len(b):len(b)], 0), ErrDamaged, "a byte more")
}

func TestNoPlaneIsTakenForAnother(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 0))
	e, b := elasticOf(t, randomHashes(r, 3000))
	twin, other := elasticOf(t, randomHashes(r, 3000)) // of the same size in all
	if twin.PlaneBits() != e.PlaneBits() || twin.Planes() != e.Planes() {
		t.Fatal("other sizes")
	}
	for i := range e.Planes() {
		refusedPlane(t, headOf(t, b), i, planeOf(e, b, (i+1)%maxPlanes), "the next plane")
		refusedPlane(t, headOf(t, b), i, planeOf(e, other, i), "the plane of another filter")
		plane := planeOf(e, b, i)
		refusedPlane(t, e, i, plane[:len(plane)-1], "a byte less")
		refusedPlane(t, e, i, append(plane[:len(plane):len(plane)], 0), "a byte more")
		refusedPlane(t, e, i, nil, "nothing")
		refusedPlane(t, e, i, make([]byte, len(plane)), "zeros")
	}
	for _, i := range []int{-1, maxPlanes, math.MaxInt, math.MinInt} {
		refusedPlane(t, e, i, planeOf(e, b, 0), "a plane that there is not")
	}
}

// resealRibbon makes all checksums of a ribbon right for whatever b holds now.
func resealRibbon(b []byte) {
	parts := binary.LittleEndian.Uint64(b[offParams+paramSize*paramParts:])
	if directory := b[headerSize:]; uint64(len(directory))/entrySize >= parts {
		binary.LittleEndian.PutUint32(b[offPayload:], crc32.Checksum(directory[:parts*entrySize], castagnoli))
	}
	binary.LittleEndian.PutUint32(b[offHeader:], crc32.Checksum(b[:offHeader], castagnoli))
	h, err := readRibbonHeader(b)
	if err != nil || uint64(len(b)-headerSize) != h.PayloadBytes {
		return
	}
	length := int(h.Params[paramSlots]/8) + planeChecksumSize
	for i := range int(h.Params[paramPlanes]) {
		plane := b[headerSize+h.directoryBytes()+i*length:][:length]
		bits := plane[:length-planeChecksumSize]
		binary.LittleEndian.PutUint32(plane[len(bits):], planeChecksum(h.checksum, i, bits))
	}
}

// Recipe FLT-10 for header and directory: fields at their extremes under right checksums.
func TestExtremesInARibbonsHeadAreDamageAndAllocateNothing(t *testing.T) {
	hashes := randomHashes(rand.New(rand.NewPCG(5, 0)), 2500)
	builder := newRibbonBuilder(10, maxPlanes)
	builder.partKeys = 1000
	for _, h := range hashes {
		builder.Add(h)
	}
	good, err := builder.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	if e := parse(t, good).(*Elastic); len(e.head.parts) != 3 {
		t.Fatalf("%d parts", len(e.head.parts))
	}
	fields := []int{offKeys, offAsked, offLength, offParams, offParams + 8, offParams + 16}
	for part := range 3 {
		fields = append(fields, headerSize+part*entrySize+offPartKeys, headerSize+part*entrySize+offPartSlots)
	}
	size := uint64(len(good))
	for _, field := range fields {
		was := binary.LittleEndian.Uint64(good[field:])
		for _, value := range []uint64{0, 1, 2, 4, 15, 17, was - 1, was + 1, was - ribbonWidth, was + ribbonWidth, was / 2, was * 2,
			size - headerSize - 1, size - headerSize + 1, size, size + 1, 1 << 16, 1<<16 + 1, 1 << 31, 1 << 32, 1 << 33, 1 << 40,
			1<<53 - 1, 1 << 53, 1 << 62, 1 << 63, math.Float64bits(math.NaN()), math.Float64bits(math.Inf(1)), math.Float64bits(-10),
			math.Float64bits(64.5), math.MaxUint64 &^ (ribbonWidth - 1), math.MaxUint64 - 1, math.MaxUint64} {
			b := bytes.Clone(good)
			binary.LittleEndian.PutUint64(b[field:], value)
			if asked := math.Float64frombits(value); bytes.Equal(b, good) || field == offAsked && asked > 0 && asked <= maxBitsPerKey {
				continue // as it was, or another number that may have been asked for
			}
			resealRibbon(b)
			what := fmt.Sprintf("%d at %d", value, field)
			grown := allocs.Bytes(func() {
				damagedParse(t, b, ErrDamaged, what)
				if n, err := HeadBytes(b); err == nil {
					if n > headerSize+maxParts*entrySize {
						t.Fatalf("%s: a head of %d bytes", what, n)
					}
					// A head may be right by itself, and only promise more planes than there are.
					if e, err := ParseElastic(b[:min(n, len(b))]); err == nil {
						for i := range e.Planes() {
							if offset, length := e.PlaneRange(i); offset >= 0 && length > 0 && offset+length <= int64(len(b)) {
								_, err := e.With(i, b[offset:][:length])
								if err != nil {
									checkRefusal(t, err)
								}
							}
						}
					}
				}
			})
			if grown > 256<<10 {
				t.Fatalf("%s: %d bytes allocated", what, grown)
			}
		}
	}
}

func TestOnlyRibbonsAreElastic(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 0))
	for name, c := range map[string]struct {
		bytes []byte
		kind  error
	}{
		"classic":   {build(t, Classic(10), randomHashes(r, 3000)), ErrUnknown},
		"too small": {build(t, Ribbon(10), randomHashes(r, ribbonLeast-1)), ErrUnknown},
		"no keys":   {noKeys(build(t, Ribbon(10), nil)), ErrDamaged},
		"nothing":   {nil, ErrDamaged},
	} {
		if n, err := HeadBytes(c.bytes); n != 0 || !errors.Is(err, c.kind) {
			t.Errorf("%s: a head of %d bytes, %v", name, n, err)
		}
		if e, err := ParseElastic(c.bytes); e != nil || !errors.Is(err, c.kind) {
			t.Errorf("%s: elastic, %v", name, err)
		}
		if DamagedPlanes(c.bytes) != nil {
			t.Errorf("%s: planes %v", name, DamagedPlanes(c.bytes))
		}
	}
}

// noKeys makes the filter of no keys one of a ribbon: what a writer without a least number of keys would write.
func noKeys(b []byte) []byte {
	b[offFamily] = byte(FamilyRibbon)
	reseal(b)
	return b
}

func TestARibbonOfNoKeysDeniesEverything(t *testing.T) {
	b := build(t, Ribbon(10), nil)
	b[offFamily] = byte(FamilyRibbon)
	binary.LittleEndian.PutUint32(b[offHeader:], crc32.Checksum(b[:offHeader], castagnoli))
	if f := parse(t, b); f.MayContain(Hash{}) || f.Family() != FamilyRibbon || f.ExpectedRate() != 0 {
		t.Errorf("%v says maybe", f.Family())
	}
}
