package wal

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// written is a segment's bytes and where its records begin; the last offset is the file's end.
type written struct {
	bytes   []byte
	offsets []int64
}

// ending says how a segment was left.
type ending int

const (
	closed ending = iota // with its end record
	killed               // without
)

// writeSegment writes groups into segment 1 and returns the file. add is Append or AppendSync.
func writeSegment(t testing.TB, end ending, groups []string, add func(*Log, []byte) error) written {
	t.Helper()
	disk := newDisk(t)
	l := newLog(t, disk, 1)
	var w written
	for _, g := range groups {
		w.offsets = append(w.offsets, l.SegmentSize())
		must(t, add(l, []byte(g)))
	}
	w.offsets = append(w.offsets, l.SegmentSize())
	must(t, l.Close())
	w.bytes = readFile(t, disk, path(1))
	if end == killed {
		w.bytes = w.bytes[:w.offsets[len(groups)]]
	} else {
		w.offsets = append(w.offsets, int64(len(w.bytes)))
	}
	return w
}

func someGroups(n int) (groups []string) {
	for i := range n {
		groups = append(groups, fmt.Sprintf("group %d %s", i, strings.Repeat("x", i%37)))
	}
	return groups
}

// recordAt is the index of the record that holds a byte, -1 for the header.
func (w written) recordAt(offset int64) int {
	i, found := slices.BinarySearch(w.offsets, offset)
	if !found {
		i--
	}
	return i
}

// TestWAL01TornTail cuts a synced segment's last 1 to 64 bytes: what was whole is replayed, the rest reported.
func TestWAL01TornTail(t *testing.T) {
	groups := someGroups(100)
	w := writeSegment(t, killed, groups, (*Log).AppendSync)
	size := int64(len(w.bytes))
	for cut := int64(1); cut <= 64; cut++ {
		whole := w.recordAt(size - cut)
		got, report, err := replayed(t, diskWith(t, map[uint64][]byte{1: w.bytes[:size-cut]}))
		must(t, err)
		if !slices.Equal(got, groups[:whole]) {
			t.Fatalf("cut %d: replayed %d groups", cut, len(got))
		}
		s := report.Segments[0]
		clean := w.offsets[whole] == size-cut
		if clean && s.TornAt != -1 || !clean && (s.TornAt != w.offsets[whole] || s.Dropped != size-cut-w.offsets[whole] || s.Reason == "") {
			t.Fatalf("cut %d: reported %+v", cut, s)
		}
	}
}

// TestWAL01FlippedBit flips a bit in the middle of synced groups: an error that says where, the file as it was, and
// a repair that gets what is before it.
func TestWAL01FlippedBit(t *testing.T) {
	groups := someGroups(100)
	w := writeSegment(t, killed, groups, (*Log).AppendSync)
	for at := w.offsets[50]; at < w.offsets[51]; at++ {
		flipped := bytes.Clone(w.bytes)
		flipped[at] ^= 4
		disk := diskWith(t, map[uint64][]byte{1: flipped, 2: Header{Number: 2, Previous: 1}.append(nil)})
		_, _, err := replayed(t, disk)
		if e := damage(t, err); e.File != path(1) || e.Offset != w.offsets[50] {
			t.Fatalf("byte %d: %v", at, err)
		}
		if !bytes.Equal(readFile(t, disk, path(1)), flipped) {
			t.Fatal("the file was changed")
		}
		var got []string
		report, err := Salvage(disk, dir, []uint64{1, 2}, func(_ uint64, group []byte) error {
			got = append(got, string(group))
			return nil
		})
		must(t, err)
		if !slices.Equal(got, groups[:50]) {
			t.Fatalf("repair got %d groups", len(got))
		}
		if s := report.Segments[0]; s.TornAt != w.offsets[50] || s.Dropped != int64(len(flipped))-w.offsets[50] || s.Groups != 50 || damage(t, s.Damage).File != path(1) {
			t.Fatalf("repair reported %+v", s)
		}
		if s := report.Segments[1]; s.TornAt != 0 || s.Dropped != HeaderSize || damage(t, s.Damage).File != path(1) {
			t.Fatalf("repair reported %+v", s)
		}
	}
}

// A hole among groups that were never synced is what a power cut leaves: they are dropped from there on.
func TestWAL01HoleInUnsyncedTail(t *testing.T) {
	groups := someGroups(20)
	w := writeSegment(t, killed, groups, (*Log).Append)
	for at := int64(HeaderSize); at < int64(len(w.bytes)); at++ {
		torn := bytes.Clone(w.bytes)
		torn[at] ^= 0x10
		got, report, err := replayed(t, diskWith(t, map[uint64][]byte{1: torn}))
		must(t, err)
		i := w.recordAt(at)
		if s := report.Segments[0]; !slices.Equal(got, groups[:i]) || s.TornAt != w.offsets[i] || s.Dropped != int64(len(torn))-w.offsets[i] {
			t.Fatalf("byte %d: %d groups, %+v", at, len(got), s)
		}
	}
}

// Every flipped bit of a finished segment is found; only one in the end record itself passes for a torn tail, and
// costs nothing.
func TestEveryBitOfASegment(t *testing.T) {
	groups := []string{"alpha", "", "gamma"}
	for _, add := range []func(*Log, []byte) error{(*Log).Append, (*Log).AppendSync} {
		w := writeSegment(t, closed, groups, add)
		for bit := range len(w.bytes) * 8 {
			flipped := bytes.Clone(w.bytes)
			flipped[bit/8] ^= 1 << (bit % 8)
			got, report, err := replayed(t, diskWith(t, map[uint64][]byte{1: flipped}))
			record := w.recordAt(int64(bit / 8))
			if record == len(groups) {
				if s := report.Segments[0]; err != nil || len(got) != 3 || s.CleanEnd || s.TornAt != w.offsets[3] {
					t.Fatalf("bit %d: %q, %+v, %v", bit, got, s, err)
				}
				continue
			}
			e := damage(t, err)
			if record < 0 && e.Offset > HeaderSize || record >= 0 && e.Offset != w.offsets[record] || e.File != path(1) {
				t.Fatalf("bit %d: %v", bit, err)
			}
			if len(got) != max(record, 0) {
				t.Fatalf("bit %d: replayed %q before the error", bit, got)
			}
		}
	}
}

// A segment may be cut at any length when it is the newest that holds records; before one that holds records it
// must be whole.
func TestEveryLengthOfASegment(t *testing.T) {
	disk := newDisk(t)
	l := newLog(t, disk, 1)
	must(t, l.AppendSync([]byte("alpha")))
	must(t, l.Append([]byte("beta")))
	must(t, l.Rotate(2, 0))
	must(t, l.Append([]byte("gamma")))
	must(t, l.Close())
	first, second := readFile(t, disk, path(1)), readFile(t, disk, path(2))
	w := writeSegment(t, closed, []string{"alpha", "beta"}, (*Log).Append)
	for size := range len(first) + 1 {
		whole := max(w.recordAt(int64(size)), 0)
		for what, next := range map[string][]byte{"nothing": nil, "an empty file": {}, "half a header": second[:20], "a header": second[:HeaderSize], "a torn record": second[:HeaderSize+7]} {
			segments := map[uint64][]byte{1: first[:size]}
			if next != nil {
				segments[2] = next
			}
			got, report, err := replayed(t, diskWith(t, segments))
			if err != nil || len(got) != min(whole, 2) || report.Segments[0].CleanEnd != (size == len(first)) {
				t.Fatalf("%d bytes, followed by %s: %q, %+v, %v", size, what, got, report, err)
			}
		}
		got, _, err := replayed(t, diskWith(t, map[uint64][]byte{1: first[:size], 2: second}))
		if size == len(first) {
			if err != nil || len(got) != 3 {
				t.Fatalf("whole: %q, %v", got, err)
			}
			continue
		}
		if e := damage(t, err); e.File != path(1) || e.Offset > int64(size) {
			t.Fatalf("%d bytes, followed by records: %v", size, err)
		}
	}
}

// TestWAL02ReusedFile puts a new segment's bytes over an old one's, at all alignments: nothing of the old comes
// back.
func TestWAL02ReusedFile(t *testing.T) {
	for length := 1; length <= 200; length++ {
		group := strings.Repeat("o", length)
		old := writeSegment(t, closed, slices.Repeat([]string{group}, 20), (*Log).AppendSync)
		disk := newDisk(t)
		l := newLog(t, disk, 2)
		for range 3 {
			must(t, l.AppendSync([]byte("new")))
		}
		reused := bytes.Clone(old.bytes)
		copy(reused, readFile(t, disk, path(2)))
		must(t, l.Close())
		got, report, err := replayed(t, diskWith(t, map[uint64][]byte{2: reused}))
		if err != nil || !slices.Equal(got, []string{"new", "new", "new"}) || report.Segments[0].TornAt < 0 {
			t.Fatalf("groups of %d bytes: %q, %+v, %v", length, got, report, err)
		}
	}
}

// TestWAL03GarbageTail appends what disks leave behind; nothing of it is believed, by repair neither.
func TestWAL03GarbageTail(t *testing.T) {
	rng := newRand(t)
	groups := someGroups(10)
	junk := make([]byte, 1024)
	for i := range junk {
		junk[i] = byte(rng.Uint32())
	}
	for _, end := range []ending{killed, closed} {
		w := writeSegment(t, end, groups, (*Log).AppendSync)
		size := int64(len(w.bytes))
		for what, tail := range map[string][]byte{
			"zeros":         make([]byte, 1024),
			"junk":          junk,
			"a copy":        w.bytes[w.offsets[3]:w.offsets[4]],
			"huge length":   appendRecord(nil, 1, size, kindGroup, HeaderSize, make([]byte, 1<<20))[:40],
			"other segment": appendRecord(nil, 2, size, kindGroup, HeaderSize, []byte("no")),
		} {
			disk := diskWith(t, map[uint64][]byte{1: slices.Concat(w.bytes, tail)})
			got, report, err := replayed(t, disk)
			if s := report.Segments[0]; err != nil || !slices.Equal(got, groups) || s.TornAt != size || s.Dropped != int64(len(tail)) || s.CleanEnd != (end == closed) {
				t.Errorf("%s: %d groups, %+v, %v", what, len(got), s, err)
			}
			repaired, err := Salvage(disk, dir, []uint64{1}, func(uint64, []byte) error { return nil })
			if err != nil || !slices.Equal(repaired.Segments, report.Segments) {
				t.Errorf("%s: repair says %+v, %v", what, repaired, err)
			}
		}
	}
}

// TestWAL05HalfARecord cuts a segment inside a record of several read buffers, with a sound segment after it: the
// halves are not joined, and the error names the first segment.
func TestWAL05HalfARecord(t *testing.T) {
	disk := newDisk(t)
	l := newLog(t, disk, 1)
	must(t, l.AppendSync([]byte("small")))
	must(t, l.AppendSync(bytes.Repeat([]byte("large "), 40_000)))
	must(t, l.Rotate(2, 0))
	must(t, l.AppendSync([]byte("next")))
	must(t, l.Close())
	first, second := readFile(t, disk, path(1)), readFile(t, disk, path(2))
	disk = diskWith(t, map[uint64][]byte{1: first[:len(first)/2], 2: second})
	got, _, err := replayed(t, disk)
	if e := damage(t, err); e.File != path(1) || !slices.Equal(got, []string{"small"}) {
		t.Errorf("replayed %q, %v", got, err)
	}
	got, _, err = replayed(t, diskWith(t, map[uint64][]byte{2: second}))
	if err != nil || !slices.Equal(got, []string{"next"}) {
		t.Errorf("alone: %q, %v", got, err)
	}
}

// TestWAL09Zeros extends the newest segment with zeros, as pre-allocation does, and leaves segments that have
// nothing in them.
func TestWAL09Zeros(t *testing.T) {
	groups := someGroups(10)
	w := writeSegment(t, killed, groups, (*Log).AppendSync)
	sizes := []int{1, 4096, 64 << 20}
	if testing.Short() {
		sizes = sizes[:2]
	}
	for _, zeros := range sizes {
		disk := diskWith(t, map[uint64][]byte{1: append(bytes.Clone(w.bytes), make([]byte, zeros)...)})
		got, report, err := replayed(t, disk)
		if s := report.Segments[0]; err != nil || !slices.Equal(got, groups) || s.TornAt != int64(len(w.bytes)) || s.Dropped != int64(zeros) {
			t.Errorf("%d zeros: %d groups, %+v, %v", zeros, len(got), s, err)
		}
		l := newLog(t, disk, 2)
		must(t, l.Close())
	}
	header := Header{Number: 2, LastEdit: 4}.append(nil)
	for what, newest := range map[string][]byte{
		"no byte": {}, "a header": header, "half a header": header[:17], "a header of zeros": make([]byte, HeaderSize), "zeros": make([]byte, 4096),
	} {
		got, report, err := replayed(t, diskWith(t, map[uint64][]byte{1: w.bytes, 2: newest}))
		if s := report.Segments[1]; err != nil || !slices.Equal(got, groups) || s.Groups != 0 || s.CleanEnd {
			t.Errorf("newest has %s: %d groups, %+v, %v", what, len(got), s, err)
		}
	}
}
