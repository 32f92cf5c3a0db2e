package wal

import (
	"bytes"
	"slices"
	"testing"

	"siftdb/internal/allocs"
)

// FuzzReplay replays two segments of any bytes.
func FuzzReplay(f *testing.F) {
	whole := golden(f)
	next := Header{Number: 4, Previous: 3, LastEdit: 78}.append(nil)
	full := appendRecord(bytes.Clone(next), 4, HeaderSize, kindGroup, HeaderSize, []byte("next"))
	for _, first := range [][]byte{whole, whole[:100], whole[:HeaderSize], whole[:9], nil, append(bytes.Clone(whole), make([]byte, 50)...)} {
		for _, second := range [][]byte{next, full, full[:50], nil} {
			f.Add(first, second)
		}
	}
	f.Fuzz(checkReplay)
}

// FuzzReplayRecords replays two segments that a script puts together from records with right checksums, and from
// bytes that are none, which blind changes of bytes would never come to.
func FuzzReplayRecords(f *testing.F) {
	f.Add([]byte{1, 40, 5, 1, 40, 5, 2, 82, 0}, []byte{1, 40, 9}, byte(3))
	f.Add([]byte{1, 40, 5, 0, 0, 13, 1, 61, 5}, []byte{}, byte(3))
	f.Add([]byte{1, 40, 5, 0, 0, 13, 1, 70, 5}, []byte{2, 40, 0}, byte(0))
	f.Add([]byte{2, 40, 0, 0, 7, 9}, []byte{1, 40, 200, 1, 0, 3}, byte(9))
	f.Fuzz(func(t *testing.T, first, second []byte, previous byte) {
		checkReplay(t,
			play(Header{Number: 3}.append(nil), 3, first),
			play(Header{Number: 4, Previous: uint64(previous)}.append(nil), 4, second))
	})
}

// play appends what a script says: three bytes a step, which are a kind (0: no record, but bytes), a synced-to and
// a length. It stops after a hundred.
func play(segment []byte, number uint64, script []byte) []byte {
	for step := range slices.Chunk(script[:min(len(script), 300)], 3) {
		if len(step) < 3 {
			return append(segment, step...)
		}
		if body := bytes.Repeat(step[1:2], int(step[2])); step[0] == 0 {
			segment = append(segment, body...)
		} else {
			segment = appendRecord(segment, number, int64(len(segment)), step[0], int64(step[1]), body)
		}
	}
	return segment
}

// checkReplay holds for any bytes: the only error of a replay is corruption; repair gets the groups that the
// replay got, and gives no error; reports fit the files; and a dump covers them.
func checkReplay(t *testing.T, first, second []byte) {
	contents := map[uint64][]byte{3: first, 4: second}
	disk := diskWith(t, contents)
	var groups []string
	var report Report
	var err error
	allocs.Little(t, 16, len(first)+len(second), 1<<20, func() { groups, report, err = replayed(t, disk) })
	if err != nil {
		damage(t, err)
	}
	var saved []string
	salvaged, salvageErr := Salvage(disk, dir, []uint64{3, 4}, func(_ uint64, group []byte) error {
		saved = append(saved, string(group))
		return nil
	})
	if salvageErr != nil || !slices.Equal(saved, groups) || len(salvaged.Segments) != 2 {
		t.Fatalf("replay %q, %v; repair %q, %v", groups, err, saved, salvageErr)
	}
	for _, s := range slices.Concat(report.Segments, salvaged.Segments) {
		size := int64(len(contents[s.Number]))
		if s.TornAt > size || s.TornAt >= 0 && s.TornAt+s.Dropped != size || s.Bytes > size {
			t.Fatalf("%d bytes: %+v", size, s)
		}
	}
	for number, content := range contents {
		at := int64(0)
		_, err := Dump(disk, path(number), func(e Entry) error {
			if at == 0 && e.Offset == HeaderSize {
				at = HeaderSize
			}
			if e.Offset != at {
				t.Fatalf("dump goes from %d to %d", at, e.Offset)
			}
			at += e.Length
			return nil
		})
		if err != nil || at != int64(len(content)) && len(content) != HeaderSize {
			t.Fatalf("dump ends at %d of %d: %v", at, len(content), err)
		}
	}
}
