package db

import (
	"errors"
	"path/filepath"
	"testing"

	"siftdb/internal/fsys"
)

// TestMissingLogs: where several log segments are needed, since flushes could not keep up, the loss of any of them
// is told, be it the first, one in the middle or the newest.
func TestMissingLogs(t *testing.T) {
	disk := fsys.NewMem()
	fault := fsys.NewFault(disk)
	store := openStore(t, fault)
	fault.SetHook(failing(".sst", fsys.OpCreate))
	for _, k := range []string{"a", "b", "c"} {
		put(t, store, k)
		if k != "c" {
			check(t, store.alone(store.rotate))
		}
	}
	check(t, store.Sync())
	killed := disk.Clone()
	check(t, store.Close())
	for name, image := range map[string]*fsys.Mem{"closed": disk, "killed": killed} {
		logs := files(t, image, "store", withSuffix(".wal"))
		if len(logs) != 3 {
			t.Fatalf("%s: logs %q", name, logs)
		}
		for _, log := range logs {
			for _, readOnly := range []bool{false, true} {
				lost := image.Clone()
				check(t, lost.Remove(filepath.Join("store", log)))
				o := small(lost)
				o.ReadOnly = readOnly
				store, err := Open("store", o)
				if err == nil {
					store.Close()
				}
				if damage, ok := errors.AsType[*CorruptionError](err); !ok || filepath.Base(damage.File) != log {
					t.Errorf("%s, without %s, read-only %v: %v", name, log, readOnly, err)
				}
			}
		}
		if got := keysOf(t, openStore(t, image.Clone()), Range{}); len(got) != 3 {
			t.Errorf("%s: whole, it has %q", name, got)
		}
	}
}
