package wal

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"siftdb/internal/fsys"
)

// golden is segment 3 of a log, with synced and unsynced groups.
func golden(t testing.TB) []byte {
	t.Helper()
	disk := newDisk(t)
	l := newLog(t, disk, 2)
	must(t, l.Rotate(3, 77))
	must(t, l.AppendSync([]byte("alpha")))
	must(t, l.AppendSync([]byte("")))
	must(t, l.Append([]byte("beta\x00\xff")))
	must(t, l.Append(bytes.Repeat([]byte("gamma "), 20)))
	must(t, l.Close())
	return readFile(t, disk, path(3))
}

func TestGolden(t *testing.T) {
	stored, err := os.ReadFile(filepath.Join("testdata", "000003.wal.golden"))
	must(t, err)
	if !bytes.Equal(stored, golden(t)) {
		t.Errorf("the writer does not give the golden file:\n% x\n% x", golden(t), stored)
	}
	disk := diskWith(t, map[uint64][]byte{3: stored})
	groups, report, err := replayed(t, disk)
	must(t, err)
	if want := []string{"alpha", "", "beta\x00\xff", string(bytes.Repeat([]byte("gamma "), 20))}; !slices.Equal(groups, want) {
		t.Errorf("replayed %q", groups)
	}
	if want := (SegmentReport{Number: 3, LastEdit: 77, Groups: 4, Bytes: 131, CleanEnd: true, TornAt: -1}); report.Segments[0] != want {
		t.Errorf("reported %+v", report.Segments[0])
	}
}

// dumped is what a dump prints of segment 3.
func dumped(t testing.TB, content []byte) (out []string) {
	t.Helper()
	h, err := Dump(diskWith(t, map[uint64][]byte{3: content}), path(3), func(e Entry) error {
		out = append(out, fmt.Sprintf("%d+%d %v synced to %d, %.6q %s", e.Offset, e.Length, e.Kind, e.SyncedTo, e.Group, e.Reason))
		return nil
	})
	must(t, err)
	return append([]string{fmt.Sprint(h)}, out...)
}

func TestDump(t *testing.T) {
	whole := golden(t)
	damaged := bytes.Clone(whole)
	damaged[70] ^= 1 // in the second group
	headless := bytes.Clone(whole[:87])
	headless[20] ^= 1
	for what, c := range map[string]struct {
		content []byte
		want    []string
	}{
		"whole": {whole, []string{
			"{3 2 77}",
			`40+26 group synced to 40, "alpha" `,
			`66+21 group synced to 66, "" `,
			`87+27 group synced to 87, "beta\x00\xff" `,
			`114+141 group synced to 87, "gamma " `,
			`255+21 end synced to 255, "" `,
		}},
		"damaged": {damaged, []string{
			"{3 2 77}",
			`40+26 group synced to 40, "alpha" `,
			`66+21 unreadable synced to 0, "" header checksum does not match`,
			`87+27 group synced to 87, "beta\x00\xff" `,
			`114+141 group synced to 87, "gamma " `,
			`255+21 end synced to 255, "" `,
		}},
		"headless": {headless, []string{
			"{0 0 0}",
			`0+40 unreadable synced to 0, "" header checksum does not match`,
			`40+26 group synced to 40, "alpha" `,
			`66+21 group synced to 66, "" `,
		}},
		"cut short": {whole[:50], []string{
			"{3 2 77}",
			`40+10 unreadable synced to 0, "" only 10 of 13 header bytes before the file ends`,
		}},
		"empty": {nil, []string{
			"{0 0 0}",
			`0+0 unreadable synced to 0, "" header cut short: 0 of 40 bytes`,
		}},
	} {
		if got := dumped(t, c.content); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%q\nwant\n%q", what, got, c.want)
		}
	}
	if _, err := Dump(fsys.NewMem(), "notes.txt", nil); err == nil {
		t.Error("a file of another name was dumped")
	}
	_, err := Dump(newDisk(t), path(1), nil)
	damage(t, err)
}
