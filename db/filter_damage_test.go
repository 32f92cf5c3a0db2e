package db

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"path/filepath"
	"testing"

	"siftdb/bloom"
	"siftdb/internal/fsys"
)

// filterTable is a disk with a store of one table, whose filter may be damaged.
type filterTable struct {
	disk   *fsys.Mem
	file   string
	filter span
	keys   int
	bytes  []byte // of the file
	copies *int   // that were damaged and survived
}

// tableOfFamily makes a store with one table of so many keys, in the last level. What was tried with it is said at the end.
func tableOfFamily(t *testing.T, policy bloom.Policy, keys int) filterTable {
	t.Helper()
	disk := fsys.NewMem()
	store := openStore(t, disk, planed, func(o *Options) { o.Filter, o.TableSize = policy, 1<<20 })
	filterKeys(t, store, keys)
	check(t, store.Compact(context.Background(), Range{}))
	tables := tablesOf(store)
	if len(tables) != 1 {
		t.Fatalf("%d tables", len(tables))
	}
	check(t, store.Close())
	name := tables[0].File
	f := filterTable{
		disk: disk, file: name, filter: filterSpan(t, disk, name), keys: keys,
		bytes: readFile(t, disk, filepath.Join("store", name)), copies: new(int),
	}
	t.Cleanup(func() {
		t.Logf("%s, %d keys: %d damaged copies, %d right answers and one report of damage from each",
			policy, keys, *f.copies, 4*keys)
	})
	return f
}

// damaged gives a copy of the disk on which change was made to the bytes of the filter; nil if it changes nothing.
func (f filterTable) damaged(t *testing.T, change func(filter []byte)) *fsys.Mem {
	t.Helper()
	b := bytes.Clone(f.bytes)
	change(b[f.filter.offset:][:f.filter.bytes])
	if bytes.Equal(b, f.bytes) {
		return nil
	}
	disk := f.disk.Clone()
	writeFile(t, disk, filepath.Join("store", f.file), b)
	return disk
}

// survives opens the store on disk and reads all keys and as many absent ones: the answers are right whatever became of
// the filter. What is wrong with it is counted, told by the table and logged, each once.
func (f filterTable) survives(t *testing.T, what string, disk *fsys.Mem) (info TableInfo, m Metrics) {
	t.Helper()
	said := new(lines)
	store := openStore(t, disk, planed, logged(said))
	defer store.Close()
	for range 2 {
		loaded(t, store)
		ledgerIsExact(t, store)
		for i := range f.keys {
			if v, err := store.Get(filterKey(2 * i)); err != nil || string(v) != string(filterKey(2 * i)[4:]) {
				t.Fatalf("%s: key %d is %x, %v", what, 2*i, v, err)
			}
			if _, err := store.Get(filterKey(2*i + 1)); err != ErrNotFound {
				t.Fatalf("%s: key %d: %v", what, 2*i+1, err)
			}
		}
	}
	verified := lastOf(store.Verify(context.Background()))
	info, m = tablesOf(store)[0], store.Metrics()
	if info.FilterProblem == nil || m.UnusableFilters != 1 || verified == nil {
		t.Errorf("%s: the table says %v, %d filters are counted, Verify says %v",
			what, info.FilterProblem, m.UnusableFilters, verified)
	}
	if bad, ok := errors.AsType[*CorruptionError](info.FilterProblem); !errors.Is(info.FilterProblem, bloom.ErrUnknown) &&
		(!ok || filepath.Base(bad.File) != f.file || bad.Offset < f.filter.offset || bad.Offset > f.filter.offset+f.filter.bytes) {
		t.Errorf("%s: %v", what, info.FilterProblem)
	}
	said.want(t, 1, "filter not usable", "table", "err")
	said.want(t, 0, "damage found")
	if t.Failed() {
		t.FailNow()
	}
	*f.copies++
	return info, m
}

// probes is how often survives asks the table: all but the last absent key lie in its range.
func (f filterTable) probes() int64 { return 2 * int64(2*f.keys-1) }

// lost checks that the table was read without its filter, and that this is counted as what it is.
func (f filterTable) lost(t *testing.T, what string, disk *fsys.Mem) {
	t.Helper()
	if disk == nil {
		return
	}
	info, m := f.survives(t, what, disk)
	if m.FilterBytes != 0 || info.ResidentPlanes != 0 || info.Filter.Checks != 0 {
		t.Errorf("%s: %d bytes and %d planes in memory, %d checks", what, m.FilterBytes, info.ResidentPlanes, info.Filter.Checks)
	}
	if u := m.UnfilteredProbes; u.Unusable != f.probes() || u.Total() != u.Unusable {
		t.Errorf("%s: without a filter went %+v, want %d for an unusable one", what, u, f.probes())
	}
}

// planePlace is where plane i of a filter stands in its bytes.
func (f filterTable) planePlace(t *testing.T, i int) (offset, length int64) {
	t.Helper()
	e, err := bloom.ParseElastic(f.bytes[f.filter.offset:])
	check(t, err)
	return e.PlaneRange(i)
}

// TestDamagedPlane flips a bit of one plane: others stand in for it.
func TestDamagedPlane(t *testing.T) {
	f := tableOfFamily(t, bloom.BitsPerKey(10), 2500)
	const planes = 9 // are what ten bits per key pay for
	for i := range planes {
		at, length := f.planePlace(t, i)
		what := fmt.Sprintf("plane %d", i)
		info, m := f.survives(t, what, f.damaged(t, func(b []byte) { b[at+length/2] ^= 16 }))
		if want := 10 * float64(f.keys) / 8; float64(m.FilterBytes) < 0.9*want || float64(m.FilterBytes) > want ||
			info.ResidentPlanes != planes {
			t.Errorf("%s: %d bytes and %d planes in memory", what, m.FilterBytes, info.ResidentPlanes)
		}
		if m.UnfilteredProbes.Total() != 0 || info.Filter.Checks != f.probes() || info.Filter.Suspect() {
			t.Errorf("%s: %+v unfiltered, %+v", what, m.UnfilteredProbes, info.Filter)
		}
	}
}

// TestDamagedPlanes flips a bit in each of several planes, up to all: what is left is used.
func TestDamagedPlanes(t *testing.T) {
	f := tableOfFamily(t, bloom.BitsPerKey(10), 2500)
	planes := 14
	for left := range planes {
		disk := f.damaged(t, func(b []byte) {
			for i := range planes - left {
				at, length := f.planePlace(t, i)
				b[at+length*int64(i)/int64(planes)] ^= 1
			}
		})
		what := fmt.Sprintf("all planes but %d", left)
		if left == 0 {
			f.lost(t, what, disk)
			continue
		}
		if info, m := f.survives(t, what, disk); info.ResidentPlanes != min(left, 9) || m.UnfilteredProbes.Total() != 0 {
			t.Errorf("%s: %d planes in memory, %+v without", what, info.ResidentPlanes, m.UnfilteredProbes)
		}
	}
}

// wholeFamilies are filters that are used whole or not at all.
func wholeFamilies(t *testing.T) map[string]filterTable {
	return map[string]filterTable{
		"blocked": tableOfFamily(t, bloom.Blocked(10), 90),
		"classic": tableOfFamily(t, bloom.Classic(10), 90),
		"fuse":    tableOfFamily(t, bloom.Fuse(10), 1100), // of fewer keys it is classic
		"cuckoo":  tableOfFamily(t, bloom.Cuckoo(12), 550),
	}
}

// stride is how many bytes lie between those that are tried: more where each try reads many keys, and with -short.
func (f filterTable) stride() int64 {
	n := int64(max(1, f.keys/50))
	if testing.Short() {
		n *= 7
	}
	return n
}

// TestDamagedFilterHead flips a bit of each byte of a head, in a filter of planes and in others everywhere.
func TestDamagedFilterHead(t *testing.T) {
	families := wholeFamilies(t)
	families["ribbon"] = tableOfFamily(t, bloom.BitsPerKey(10), 2000)
	for name, f := range families {
		end, step := f.filter.bytes, f.stride()
		if name == "ribbon" {
			end, _ = f.planePlace(t, 0)
			step = 1 + step/20
		}
		for at := int64(0); at < end; at += step {
			f.lost(t, fmt.Sprintf("%s, byte %d", name, at), f.damaged(t, func(b []byte) { b[at] ^= 1 << (at % 8) }))
		}
	}
}

// TestFilterWrittenInPart has the filter end in zeros from each place on, as a write that was torn leaves it.
func TestFilterWrittenInPart(t *testing.T) {
	for name, f := range wholeFamilies(t) {
		for at := int64(0); at < f.filter.bytes; at += f.stride() {
			f.lost(t, fmt.Sprintf("%s, zeros from %d on", name, at), f.damaged(t, func(b []byte) { clear(b[at:]) }))
		}
	}
	f := tableOfFamily(t, bloom.BitsPerKey(10), 2000)
	first, plane := f.planePlace(t, 0)
	for at := int64(0); at < first; at += 5 {
		f.lost(t, fmt.Sprintf("ribbon, zeros from %d on", at), f.damaged(t, func(b []byte) { clear(b[at:]) }))
	}
	for at := first; at < f.filter.bytes; at += plane/3 + 1 {
		what := fmt.Sprintf("ribbon, zeros from %d on", at)
		disk := f.damaged(t, func(b []byte) { clear(b[at:]) })
		if left := int((at - first) / plane); left == 0 {
			f.lost(t, what, disk)
		} else if info, _ := f.survives(t, what, disk); info.ResidentPlanes != min(left, 9) {
			t.Errorf("%s: %d planes in memory", what, info.ResidentPlanes)
		}
	}
}

// TestFilterOfExtremes sets each field of a filter's header to extremes and puts the checksums right: the table knows its
// own filter, and takes this for another's (FLT-10).
func TestFilterOfExtremes(t *testing.T) {
	families := wholeFamilies(t)
	families["ribbon"] = tableOfFamily(t, bloom.BitsPerKey(10), 2000)
	extremes := []uint64{0, 1, math.MaxUint64, math.MaxUint64 - 1, 1 << 31, 1 << 32, 1 << 62}
	if testing.Short() {
		extremes = extremes[:3]
	}
	castagnoli := crc32.MakeTable(crc32.Castagnoli)
	for name, f := range families {
		for at := 0; at < bloom.HeaderSize-8; at += 8 {
			for _, n := range extremes {
				f.lost(t, fmt.Sprintf("%s, %d at byte %d", name, n, at), f.damaged(t, func(b []byte) {
					binary.LittleEndian.PutUint64(b[at:], n)
					binary.LittleEndian.PutUint32(b[bloom.HeaderSize-4:], crc32.Checksum(b[:bloom.HeaderSize-4], castagnoli))
				}))
			}
		}
	}
}

// TestFilterOfANewerKind: a filter of a family, format or hash that this version does not know is no damage, and not used.
func TestFilterOfANewerKind(t *testing.T) {
	families := wholeFamilies(t)
	families["ribbon"] = tableOfFamily(t, bloom.BitsPerKey(10), 2000)
	for name, f := range families {
		for field, at := range map[string]int{"format": 4, "family": 5, "hash": 6} {
			what := name + ", " + field
			disk := f.damaged(t, func(b []byte) {
				b[at] = 63
				binary.LittleEndian.PutUint32(b[bloom.HeaderSize-4:],
					crc32.Checksum(b[:bloom.HeaderSize-4], crc32.MakeTable(crc32.Castagnoli)))
			})
			if info, m := f.survives(t, what, disk); !errors.Is(info.FilterProblem, bloom.ErrUnknown) || m.FilterBytes != 0 ||
				m.UnfilteredProbes.Unusable != f.probes() {
				t.Errorf("%s: %v, %d bytes in memory, %+v", what, info.FilterProblem, m.FilterBytes, m.UnfilteredProbes)
			}
		}
	}
}
