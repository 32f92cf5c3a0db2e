package bloom

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"siftdb/internal/allocs"
)

// tableKind is a way of asking for a table's filter.
type tableKind struct {
	name    string
	family  Family
	least   int     // keys that the family needs; with fewer the filter is classic
	fewest  float64 // bits per key that it needs, likewise
	most    int     // probes, or bits of a fingerprint
	damaged int     // keys of the filters that tests of damage take
	policy  func(bits float64) Policy
}

// tableKinds are all of them; the suite runs over each.
var tableKinds = []tableKind{
	{"bits per key", FamilyBlocked, 0, 0, maxBlockedProbes, 150, BitsPerKey},
	{"ribbon", FamilyRibbon, ribbonLeast, 0, maxProbes, ribbonLeast - 1, Ribbon}, // damage of planes has tests of its own
	{"classic", FamilyClassic, 0, 0, maxProbes, 150, Classic},
	{"blocked", FamilyBlocked, 0, 0, maxBlockedProbes, 150, Blocked},
	{"fuse", FamilyFuse, fuseLeast, 1.5, maxFuseWidth, fuseLeast, Fuse},
	{"cuckoo", FamilyCuckoo, cuckooLeast, 5.96, maxPackedWidth, cuckooLeast, Cuckoo},
}

// sizedKinds are those whose filters have the size that was asked for, whatever may be in memory.
var sizedKinds = tableKinds[2:]

// familyAt is the family of a filter of so many keys and bits per key.
func (k tableKind) familyAt(keys int, bits float64) Family {
	if keys < k.least || bits < k.fewest {
		return FamilyClassic
	}
	return k.family
}

// build makes the bytes of a filter over the hashes.
func build(t testing.TB, p Policy, hashes []Hash) []byte {
	t.Helper()
	b := p.Builder(Place{})
	for _, h := range hashes {
		b.Add(h)
	}
	if b.Len() != len(hashes) {
		t.Fatalf("builder has %d keys of %d", b.Len(), len(hashes))
	}
	bytes, err := b.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	return bytes
}

func parse(t testing.TB, b []byte) TableFilter {
	t.Helper()
	f, err := Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestEveryFamilyKeepsTheContract(t *testing.T) {
	for _, kind := range tableKinds {
		t.Run(kind.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(4711, 0))
			for _, bits := range []float64{0.3, 0.5, 0.99, 1, 2, 4, 10, 16, 20, 33.3, 64} {
				for _, n := range sizesAround(bits) {
					checkContract(t, kind.policy(bits), kind.familyAt(n, bits), bits, randomHashes(r, n))
				}
			}
		})
	}
}

// sizesAround are the numbers of keys where something may end: none, few, words and lines just full, chunks of the
// builder just full.
func sizesAround(bits float64) []int {
	sizes := make([]int, 0, 120)
	for n := range 65 {
		sizes = append(sizes, n)
	}
	for _, unit := range []float64{wordBits, lineBits, 3 * lineBits, 64 * lineBits} {
		fit := int(unit / bits)
		sizes = append(sizes, max(fit-1, 0), fit, fit+1)
	}
	return append(sizes, cuckooLeast-1, cuckooLeast, fuseLeast-1, fuseLeast, ribbonLeast-1, ribbonLeast, ribbonLeast+1, firstChunk, firstChunk+1, 3*firstChunk, fullChunk-1, fullChunk, fullChunk+1)
}

func checkContract(t *testing.T, p Policy, family Family, bits float64, hashes []Hash) {
	t.Helper()
	name := fmt.Sprintf("%v, %d keys", p, len(hashes))
	b := build(t, p, hashes)
	f := parse(t, b)
	if f.Family() != family || f.Keys() != uint64(len(hashes)) || f.AskedBitsPerKey() != bits {
		t.Fatalf("%s: read back as %v, %d keys, %g bits", name, f.Family(), f.Keys(), f.AskedBitsPerKey())
	}
	checkBits(t, name, f, b, bits)
	if rate := f.ExpectedRate(); !(rate >= 0 && rate <= 1) || (len(hashes) == 0) != (rate == 0) {
		t.Fatalf("%s: expected rate %g", name, rate)
	}
	for i, h := range hashes {
		if !f.MayContain(h) {
			t.Fatalf("%s: key %d is denied", name, i)
		}
	}

	// The same keys give the same bytes, behind whatever stands before; and the filter lives on without them.
	again := p.Builder(Place{Reason: ReasonRecovery})
	for _, h := range hashes {
		again.Add(h)
	}
	behind, err := again.Append([]byte("before"))
	if err != nil || !bytes.Equal(behind[len("before"):], b) || string(behind[:len("before")]) != "before" {
		t.Fatalf("%s: written differently a second time (%v)", name, err)
	}
	clear(b)
	for i, h := range hashes {
		if !f.MayContain(h) {
			t.Fatalf("%s: key %d is denied after the bytes are gone", name, i)
		}
	}
}

// checkBits asserts that a filter has the size that its family promises, in memory and in bytes.
func checkBits(t *testing.T, name string, f TableFilter, b []byte, bits float64) {
	t.Helper()
	least := float64(f.Keys()) * bits
	most := least + lineBits
	outside := uint64(headerSize)
	switch f := f.(type) {
	case *Elastic:
		least = float64(f.Keys()) * float64(f.Planes())
		most = (float64(f.Keys())*slotsPerKey + 2*ribbonWidth) * float64(f.Planes())
		outside += entrySize + uint64(f.Planes())*planeChecksumSize
	case *fuse:
		least = float64(f.Keys()) * (min(bits, 1.125*maxFuseWidth) - 1.5) // whole bits in each slot
		most = float64(f.Keys())*bits + wordBits
	case *cuckoo:
		least -= 2 * bucketSize * maxPackedWidth // an even number of buckets
		most = float64(f.Keys())*bits + wordBits
	}
	if want := (uint64(len(b)) - outside) * 8; f.Bits() != want {
		t.Fatalf("%s: %d bits, payload has %d", name, f.Bits(), want)
	}
	if has := float64(f.Bits()); f.Keys() > 0 && (has < least || has > most) {
		t.Fatalf("%s: %g bits, want %g to %g", name, has, least, most)
	}
}

func TestAFilterOfNoKeysDeniesEverything(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	for _, kind := range tableKinds {
		f := parse(t, build(t, kind.policy(10), nil))
		for _, h := range append(randomHashes(r, 1000), Hash{}, Hash{math.MaxUint64, math.MaxUint64}) {
			if f.MayContain(h) {
				t.Fatalf("%s: maybe %x", kind.name, h)
			}
		}
		if f.Bits() != 0 || f.Keys() != 0 || f.ExpectedRate() != 0 {
			t.Errorf("%s: %d bits, %d keys, rate %g", kind.name, f.Bits(), f.Keys(), f.ExpectedRate())
		}
	}
}

// The extremes of the hash must find their place, the empty key's 0, 0 above all.
func TestEveryFamilyTakesTheHashesAtTheEdges(t *testing.T) {
	edges := []uint64{0, 1, 2, 1 << 31, 1<<32 - 1, 1 << 32, 1 << 63, 1<<63 - 1, math.MaxUint64 - 1, math.MaxUint64}
	for _, kind := range tableKinds {
		for _, bits := range []float64{0.3, 3, 10, 64} {
			var hashes []Hash
			for _, h1 := range edges {
				for _, h2 := range edges {
					hashes = append(hashes, Hash{h1, h2})
				}
			}
			checkContract(t, kind.policy(bits), kind.familyAt(len(hashes), bits), bits, hashes)
			checkContract(t, kind.policy(bits), kind.familyAt(1, bits), bits, []Hash{Sum(nil)})
		}
	}
}

func TestAKeyAddedManyTimesStaysMaybe(t *testing.T) {
	for _, kind := range tableKinds {
		for _, n := range []int{1000, 5000} {
			hashes := make([]Hash, n)
			for i := range hashes {
				hashes[i] = Sum([]byte("one key, many versions"))
			}
			checkContract(t, kind.policy(10), kind.familyAt(n, 10), 10, hashes)
		}
	}
}

func TestAProbeDoesNotAllocate(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 0))
	hashes := randomHashes(r, 2500)
	for _, kind := range tableKinds {
		f := parse(t, build(t, kind.policy(10), hashes))
		i := 0
		if n := testing.AllocsPerRun(1000, func() { f.MayContain(hashes[i%len(hashes)]); i++ }); n != 0 {
			t.Errorf("%s: %v allocations", kind.name, n)
		}
	}
}

func TestManyGoroutinesMayProbe(t *testing.T) {
	hashes := randomHashes(rand.New(rand.NewPCG(3, 0)), 2500)
	for _, kind := range tableKinds {
		f := parse(t, build(t, kind.policy(10), hashes))
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for _, h := range hashes {
					if !f.MayContain(h) || !(f.ExpectedRate() < 0.02) {
						t.Error("a probe went wrong")
					}
				}
			})
		}
		wg.Wait()
	}
}

// damagedParse asserts that b gives a *FormatError of the kind.
func damagedParse(t *testing.T, b []byte, kind error, what string) {
	t.Helper()
	f, err := Parse(b)
	var format *FormatError
	if f != nil || !errors.As(err, &format) || !errors.Is(err, kind) {
		t.Fatalf("%s: filter %v, error %v, want %v", what, f, err, kind)
	}
	if format.Offset < 0 || format.Offset > int64(len(b)) || format.Reason == "" || !strings.HasPrefix(err.Error(), "siftdb: filter ") {
		t.Fatalf("%s: offset %d, reason %q", what, format.Offset, format.Reason)
	}
}

func TestEveryTruncationIsDamage(t *testing.T) {
	for _, kind := range tableKinds {
		for _, n := range []int{0, 1, kind.damaged} {
			b := build(t, kind.policy(10), randomHashes(rand.New(rand.NewPCG(5, 0)), n))
			for cut := range b {
				damagedParse(t, b[:cut:cut], ErrDamaged, fmt.Sprintf("%s of %d keys cut to %d bytes", kind.name, n, cut))
			}
			damagedParse(t, append(b[:len(b):len(b)], 0), ErrDamaged, kind.name+" with a byte more")
		}
	}
}

func TestEveryFlippedBitIsDamage(t *testing.T) {
	for _, kind := range tableKinds {
		for _, n := range []int{0, 1, kind.damaged} {
			b := build(t, kind.policy(10), randomHashes(rand.New(rand.NewPCG(6, 0)), n))
			for bit := range len(b) * 8 {
				b[bit/8] ^= 1 << (bit % 8)
				damagedParse(t, b, ErrDamaged, fmt.Sprintf("%s of %d keys with bit %d flipped", kind.name, n, bit))
				b[bit/8] ^= 1 << (bit % 8)
			}
		}
	}
}

// reseal makes the header's checksum, and the payload's where there is one, right for whatever b holds now.
func reseal(b []byte) {
	if len(b) >= headerSize {
		binary.LittleEndian.PutUint32(b[offPayload:], crc32.Checksum(b[headerSize:], castagnoli))
		binary.LittleEndian.PutUint32(b[offHeader:], crc32.Checksum(b[:offHeader], castagnoli))
	}
}

// Recipe FLT-10: sizes at their extremes under a right checksum.
func TestExtremesInTheHeaderAreDamageAndAllocateNothing(t *testing.T) {
	for _, kind := range tableKinds {
		good := build(t, kind.policy(10), randomHashes(rand.New(rand.NewPCG(7, 0)), kind.damaged))
		size := uint64(len(good))
		family := parse(t, good).Family()
		hasProbes := family == FamilyClassic || family == FamilyBlocked
		for _, field := range []int{offKeys, offAsked, offLength, offParams, offParams + 8, offParams + 16} {
			for _, value := range []uint64{0, 1, 2, size - headerSize - 1, size - headerSize + 1, size, size + 1, 1 << 31, 1 << 32,
				1<<53 - 1, 1 << 62, 1 << 63, math.Float64bits(math.NaN()), math.Float64bits(math.Inf(1)), math.Float64bits(-10),
				math.Float64bits(64.5), math.MaxUint64 - 1, math.MaxUint64} {
				b := append([]byte(nil), good...)
				binary.LittleEndian.PutUint64(b[field:], value)
				if bytes.Equal(b, good) || field == offParams+8 && hasProbes && value >= 1 && value <= uint64(kind.most) {
					continue // as it was, or another number of probes that a filter may have
				}
				reseal(b)
				what := fmt.Sprintf("%s with %d at %d", kind.name, value, field)
				if grown := allocs.Bytes(func() { damagedParse(t, b, ErrDamaged, what) }); grown > 64<<10 {
					t.Fatalf("%s: %d bytes allocated", what, grown)
				}
			}
		}
	}
}

// Recipe FLT-09: a filter of zero bits over a table that has keys.
func TestNoBitsForSomeKeysIsDamage(t *testing.T) {
	for _, kind := range tableKinds {
		good := build(t, kind.policy(10), randomHashes(rand.New(rand.NewPCG(8, 0)), kind.damaged))
		b := good[:headerSize:headerSize]
		for _, field := range []int{offLength, offParams, offParams + 8} {
			binary.LittleEndian.PutUint64(b[field:], 0)
		}
		reseal(b)
		damagedParse(t, b, ErrDamaged, kind.name)
	}
}

func TestWhatANewerProgramWroteIsUnknownNotDamaged(t *testing.T) {
	good := build(t, Classic(10), randomHashes(rand.New(rand.NewPCG(9, 0)), 100))
	for name, at := range map[string]int{"format": offFormat, "family": offFamily, "hash": offHash} {
		for _, value := range []byte{0, 9, 63, 64, 255} {
			b := append([]byte(nil), good...)
			b[at] = value
			reseal(b)
			damagedParse(t, b, ErrUnknown, fmt.Sprintf("%s %d", name, value))
			if h, err := ReadHeader(b); at != offFormat && (err != nil || h.Keys != 100) {
				t.Errorf("%s %d: header %+v, error %v", name, value, h, err)
			}
		}
	}
	b := append([]byte(nil), good...)
	b[offUnused] = 1
	reseal(b)
	damagedParse(t, b, ErrDamaged, "unused byte")
}

func TestBitsBehindTheLastAreDamage(t *testing.T) {
	b := build(t, Classic(10), randomHashes(rand.New(rand.NewPCG(10, 0)), 100)) // 1001 bits in 16 words
	b[len(b)-1] |= 0x80
	reseal(b)
	damagedParse(t, b, ErrDamaged, "a bit past the last")
}

func TestReadHeaderNeedsTheHeaderOnly(t *testing.T) {
	for _, kind := range tableKinds {
		b := build(t, kind.policy(12.5), randomHashes(rand.New(rand.NewPCG(11, 0)), 200))
		h, err := ReadHeader(b[:headerSize])
		if err != nil {
			t.Fatal(err)
		}
		if h.Format != 1 || h.Family != kind.familyAt(200, 12.5) || h.HashID != 1 || h.Keys != 200 || h.AskedBits != 12.5 ||
			h.PayloadBytes != uint64(len(b)-headerSize) || h.Params[1] == 0 {
			t.Errorf("%s: %+v", kind.name, h)
		}
	}
}

func TestABuilderRefusesMoreThanAFilterCanHold(t *testing.T) {
	for _, kind := range tableKinds {
		b := kind.policy(64).Builder(Place{})
		pretend(b, math.MaxInt)
		dst, err := b.Append([]byte("before"))
		var e *ParameterError
		if !errors.As(err, &e) || string(dst) != "before" {
			t.Errorf("%s: %q, %v", kind.name, dst, err)
		}
	}
}

// pretend makes a builder believe that so many keys were added.
func pretend(b Builder, keys int) {
	switch b := b.(type) {
	case *arrayBuilder:
		b.n = keys
	case *ribbonBuilder:
		b.n = keys
	case *fuseBuilder:
		b.n = keys
	case *cuckooBuilder:
		b.n = keys
	}
}

// Recipe FSZ-06: what a builder holds, and for how long.
func TestABuilderHoldsSixteenBytesAKey(t *testing.T) {
	const n = 500_000
	b := Blocked(10).Builder(Place{})
	grown := allocs.Bytes(func() {
		for i := range uint64(n) {
			b.Add(Hash{i, i})
		}
	})
	if most := uint64(n*16 + 2*fullChunk*16 + n/fullChunk*100); grown > most {
		t.Errorf("%d bytes allocated for %d keys, want at most %d", grown, n, most)
	}
}

// Recipe FLT-08: every filter is read by its own parameters, whatever is asked for today.
func TestAnyMixOfBitsAndFamiliesIsReadable(t *testing.T) {
	type table struct {
		hashes []Hash
		filter TableFilter
	}
	var tables []table
	for i, bits := range []float64{4, 10, 16, 20} {
		for j, kind := range tableKinds {
			hashes := randomHashes(rand.New(rand.NewPCG(uint64(i), uint64(j))), 2000)
			tables = append(tables, table{hashes, parse(t, build(t, kind.policy(bits), hashes))})
		}
	}
	for _, table := range tables {
		for _, h := range table.hashes {
			if !table.filter.MayContain(h) {
				t.Fatalf("%v of %g bits denies a key", table.filter.Family(), table.filter.AskedBitsPerKey())
			}
		}
	}
}
