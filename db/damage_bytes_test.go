package db

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"siftdb/bloom"
	"siftdb/internal/fsys"
)

// TestDamagedRibbonEveryByte flips each byte of a filter in planes, its head and directory among them: Verify tells of it
// with its offset, reads are right, and no more than the plane that was hit goes unused (COR-02, FLT-11).
func TestDamagedRibbonEveryByte(t *testing.T) {
	f := tableOfFamily(t, bloom.BitsPerKey(10), 300)
	first, plane := f.planePlace(t, 0)
	if plane == 0 || first+2*plane > f.filter.bytes {
		t.Fatalf("a plane of %d bytes at %d, in a filter of %d", plane, first, f.filter.bytes)
	}
	step := int64(3)
	if testing.Short() {
		step = 31
	}
	for at := int64(0); at < f.filter.bytes; at += step {
		what := fmt.Sprintf("byte %d of %d", at, f.filter.bytes)
		disk := f.damaged(t, func(b []byte) { b[at] ^= 1 << (at % 8) })
		info, m := f.survives(t, what, disk)
		bad, ok := errors.AsType[*CorruptionError](info.FilterProblem)
		inHead := at < first
		if !ok || (bad.Offset-f.filter.offset < first) != inHead || !inHead && bad.Offset-f.filter.offset > at {
			t.Errorf("%s: %v, the filter begins at %d", what, info.FilterProblem, f.filter.offset)
		}
		if unused := info.ResidentPlanes == 0; unused != inHead || (m.UnfilteredProbes.Total() > 0) != inHead {
			t.Errorf("%s: %d planes in memory, %+v without", what, info.ResidentPlanes, m.UnfilteredProbes)
		}
	}
}

// TestDamagedLockFile: what stands in the lock file decides nothing, in a writer and in a reader.
func TestDamagedLockFile(t *testing.T) {
	for name, disk := range map[string]FS{"memory": fsys.NewMem(), "disk": OSFiles()} {
		dir := t.TempDir()
		check(t, disk.MkdirAll(dir))
		for _, content := range [][]byte{nil, []byte("x"), bytes.Repeat([]byte{0xff}, 100),
			[]byte("\x00999999999999999999999\n"), []byte(" -1")} {
			writeFile(t, disk, filepath.Join(dir, lockName), content)
			for _, readOnly := range []bool{false, true} {
				store, err := Open(dir, &Options{FS: disk, ReadOnly: readOnly})
				if err != nil {
					t.Fatalf("%s, %q: %v", name, content, err)
				}
				if !readOnly {
					put(t, store, "key")
					_, err := Open(dir, &Options{FS: disk})
					wantErr(t, name, err, ErrLocked)
				}
				wantValue(t, store, "key", "key")
				check(t, store.Close())
			}
		}
	}
}
