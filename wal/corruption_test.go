package wal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io/fs"
	"slices"
	"testing"

	"siftdb/internal/corrupt"
	"siftdb/internal/fsys"
)

// What no crash leaves is corruption, and the error says which file and where.
func TestCorruption(t *testing.T) {
	record := func(number uint64, kind uint8, syncedTo int64, group string) []byte {
		h := Header{Number: number}.append(nil)
		return appendRecord(h, number, HeaderSize, kind, syncedTo, []byte(group))
	}
	badHeader := record(1, kindGroup, HeaderSize, "a")
	badHeader[3] ^= 1
	otherFormat := Header{Number: 1}.append(nil)
	otherFormat[8] = 9
	end := record(1, kindEnd, HeaderSize, "")
	size := int64(len(end))
	junk := append(bytes.Clone(end), "junk"...)
	hole := append(Header{Number: 2}.append(nil), "hole"...)
	chained := func(number uint64) []byte {
		return appendRecord(Header{Number: number, Previous: 1}.append(nil), number, HeaderSize, kindEnd, HeaderSize, nil)
	}
	for what, c := range map[string]struct {
		segments map[uint64][]byte
		list     []uint64
		file     uint64
		offset   int64
	}{
		"missing":                  {nil, []uint64{1}, 1, -1},
		"header before a record":   {map[uint64][]byte{1: badHeader}, []uint64{1}, 1, 0},
		"another's number":         {map[uint64][]byte{2: record(1, kindGroup, HeaderSize, "a")}, []uint64{2}, 2, 12},
		"format":                   {map[uint64][]byte{1: sealHeader(otherFormat)}, []uint64{1}, 1, 8},
		"kind":                     {map[uint64][]byte{1: record(1, 77, HeaderSize, "a")}, []uint64{1}, 1, HeaderSize},
		"synced ahead":             {map[uint64][]byte{1: record(1, kindGroup, 1000, "a")}, []uint64{1}, 1, HeaderSize},
		"synced before records":    {map[uint64][]byte{1: record(1, kindGroup, 0, "a")}, []uint64{1}, 1, HeaderSize},
		"end with a group":         {map[uint64][]byte{1: record(1, kindEnd, HeaderSize, "a")}, []uint64{1}, 1, HeaderSize},
		"record after the end":     {map[uint64][]byte{1: appendRecord(bytes.Clone(end), 1, size, kindGroup, HeaderSize, nil)}, []uint64{1}, 1, size},
		"record far after the end": {map[uint64][]byte{1: appendRecord(junk, 1, size+4, kindGroup, HeaderSize, nil)}, []uint64{1}, 1, size},
		"two after the same one":   {map[uint64][]byte{1: end, 2: chained(2), 3: chained(3)}, []uint64{1, 2, 3}, 3, 20},
		"later segment with a record behind a hole": {map[uint64][]byte{
			1: record(1, kindGroup, HeaderSize, "a"), 2: appendRecord(hole, 2, HeaderSize+4, kindGroup, HeaderSize, nil)}, []uint64{1, 2}, 1, size + 1},
		"later segment with records": {map[uint64][]byte{
			1: record(1, kindGroup, HeaderSize, "a"), 2: record(2, kindGroup, HeaderSize, "b")}, []uint64{1, 2}, 1, size + 1},
	} {
		_, err := Replay(diskWith(t, c.segments), dir, c.list, func(uint64, []byte) error { return nil })
		if e := damage(t, err); e.File != path(c.file) || e.Offset != c.offset {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// sealHeader makes the checksum of a changed header right again.
func sealHeader(b []byte) []byte {
	binary.LittleEndian.PutUint32(b[36:], crc32.Checksum(b[:36], castagnoli))
	return b
}

// A segment from the middle of a log is missed, although numbers have gaps.
func TestMissingSegment(t *testing.T) {
	disk := newDisk(t)
	l := newLog(t, disk, 2)
	for _, number := range []uint64{5, 9, 14} {
		must(t, l.Append([]byte("x")))
		must(t, l.Rotate(number, 0))
	}
	must(t, l.Append([]byte("x")))
	must(t, l.Close())
	for gone, file := range map[uint64]uint64{5: 5, 9: 9} {
		image := disk.Clone()
		must(t, image.Remove(path(gone)))
		_, _, err := replayed(t, image)
		if e := damage(t, err); e.File != path(file) {
			t.Errorf("without segment %d: %v", gone, err)
		}
	}
	must(t, disk.Remove(path(2))) // the oldest is gone when it is not needed
	if groups, _, err := replayed(t, disk); err != nil || len(groups) != 3 {
		t.Errorf("without the oldest: %q, %v", groups, err)
	}
}

// Logs that one process after the other left and closed are read together.
func TestLogsOfSeveralProcesses(t *testing.T) {
	disk := newDisk(t)
	for number := uint64(1); number < 6; number += 2 {
		l := newLog(t, disk, number)
		must(t, l.Append([]byte{'0' + byte(number)}))
		must(t, l.Rotate(number+1, 0))
		must(t, l.Close())
	}
	if groups, _, err := replayed(t, disk); err != nil || !slices.Equal(groups, []string{"1", "3", "5"}) {
		t.Errorf("replayed %q, %v", groups, err)
	}
}

// Errors that are not corruption come back as they are.
func TestReplayErrors(t *testing.T) {
	w := writeSegment(t, closed, someGroups(3), (*Log).Append)
	mem := diskWith(t, map[uint64][]byte{1: w.bytes})
	own := errors.New("enough")
	if _, err := Replay(mem, dir, []uint64{1}, func(uint64, []byte) error { return own }); err != own {
		t.Errorf("got %v", err)
	}
	disk := fsys.NewFault(mem)
	for _, op := range []fsys.Op{fsys.OpOpen, fsys.OpStat, fsys.OpReadAt, fsys.OpClose} {
		disk.SetHook(fsys.FailFrom(1, fs.ErrPermission, op))
		for what, read := range map[string]func(fsys.FS, string, []uint64, func(uint64, []byte) error) (Report, error){"Replay": Replay, "Salvage": Salvage} {
			if _, err := read(disk, dir, []uint64{1}, func(uint64, []byte) error { return nil }); !errors.Is(err, fs.ErrPermission) {
				t.Errorf("%s, %v fails: %v", what, op, err)
			}
		}
	}
}

// TestSalvageAnotherFormat: what this version cannot know is not given up as damaged.
func TestSalvageAnotherFormat(t *testing.T) {
	other := Header{Number: 1}.append(nil)
	other[formatOffset] = 9
	disk := diskWith(t, map[uint64][]byte{1: sealHeader(other)})
	_, err := Salvage(disk, dir, []uint64{1}, func(uint64, []byte) error { return nil })
	if err == nil || errors.Is(err, corrupt.ErrCorrupt) {
		t.Errorf("salvaged, %v", err)
	}
}
