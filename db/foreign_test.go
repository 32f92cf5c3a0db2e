package db

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"siftdb/internal/fsys"
)

// TestForeignFiles: names that are not the store's are ignored and never deleted, directories of the store's names
// neither (PLT-04).
func TestForeignFiles(t *testing.T) {
	for name, disk := range map[string]FS{"memory": fsys.NewMem(), "disk": OSFiles()} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "store")
			check(t, disk.MkdirAll(dir))
			foreignFiles := []string{
				"._000001.sst", "._000001.wal", ".DS_Store", "x.tmp", "000001.bak", "Thumbs.db", "1.sst", "0000001.sst",
				"000001.sst.old", "000001.SST", "-00001.sst", "+00001.wal", "MANIFEST", "MANIFEST-1", "MANIFEST-x", "CURRENT.old",
				"LOCK.old", "99999999999999999999.sst", "000002.wal~",
			}
			foreignDirs := []string{"lost+found", "000777.sst", "backup"}
			for _, f := range foreignFiles {
				writeFile(t, disk, filepath.Join(dir, f), []byte(f))
			}
			for _, d := range foreignDirs {
				check(t, disk.MkdirAll(filepath.Join(dir, d)))
			}
			for round := range 3 {
				store, err := Open(dir, small(disk))
				check(t, err)
				fill(t, store, 200, 100, "")
				check(t, store.Compact(context.Background(), Range{}))
				if n := len(keysOf(t, store, Range{})); n != 200 {
					t.Errorf("round %d: %d keys", round, n)
				}
				check(t, store.Close())
			}
			for _, f := range foreignFiles {
				if got := readFile(t, disk, filepath.Join(dir, f)); string(got) != f {
					t.Errorf("%s holds %q", f, got)
				}
			}
			for _, d := range foreignDirs {
				if info, err := disk.Stat(filepath.Join(dir, d)); err != nil || !info.IsDir() {
					t.Errorf("%s: %v", d, err)
				}
			}
		})
	}
}

// TestLeftoversOfACrash: what a crash left and no manifest names is removed by the next open, and never adopted.
func TestLeftoversOfACrash(t *testing.T) {
	crashed, synced := crashedDisk(t)
	table := files(t, crashed, "store", withSuffix(".sst"))[0]
	copied := readFile(t, crashed, filepath.Join("store", table))
	leftovers := []string{"000500.sst", "000501.sst", "000502.sst", "000000.wal", "CURRENT.tmp"}
	writeFile(t, crashed, "store/000500.sst", copied) // a whole table
	writeFile(t, crashed, "store/000501.sst", copied[:len(copied)/2])
	writeFile(t, crashed, "store/000502.sst", nil)
	writeFile(t, crashed, "store/000000.wal", []byte("flushed long ago"))
	writeFile(t, crashed, "store/CURRENT.tmp", []byte("half"))
	writeFile(t, crashed, "store/MANIFEST-000099", []byte("never named by CURRENT"))

	reader := openStore(t, crashed, readOnly)
	for k, v := range synced {
		wantValue(t, reader, k, v)
	}
	check(t, reader.Close())
	for _, name := range leftovers {
		if _, err := crashed.Stat(filepath.Join("store", name)); err != nil {
			t.Errorf("a read-only store removed %s: %v", name, err)
		}
	}

	store := openStore(t, crashed)
	for k, v := range synced {
		wantValue(t, store, k, v)
	}
	flush(t, store)
	check(t, store.Close())
	for _, name := range append(leftovers, "MANIFEST-000099") {
		if _, err := crashed.Stat(filepath.Join("store", name)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is there: %v", name, err)
		}
	}
}

// TestFilesThatCannotBeRemoved are left to the next open (PLT-03).
func TestFilesThatCannotBeRemoved(t *testing.T) {
	disk := fsys.NewMem()
	fault := fsys.NewFault(disk)
	fault.SetHook(func(op fsys.Op, _ string) error {
		if op == fsys.OpRemove {
			return syscall.EACCES
		}
		return nil
	})
	store := openStore(t, fault)
	for range 3 {
		fill(t, store, 300, 100, "")
		check(t, store.Compact(context.Background(), Range{}))
	}
	want := content(t, store)
	check(t, store.Close())
	isOwn := func(name string) bool { return strings.HasSuffix(name, ".sst") || strings.HasSuffix(name, ".wal") }
	left := len(files(t, disk, "store", isOwn))

	fault.SetHook(nil)
	store = openStore(t, fault)
	check(t, store.Close())
	var named []string
	store = openStore(t, disk, readOnly)
	for info := range store.Tables() {
		named = append(named, info.File)
	}
	slices.Sort(named)
	if found := files(t, disk, "store", withSuffix(".sst")); !slices.Equal(found, named) || left < 2*len(found) {
		t.Errorf("tables %q, named are %q; there had been %d files", found, named, left)
	}
	if found := files(t, disk, "store", withSuffix(".wal")); len(found) != 1 {
		t.Errorf("logs %q", found)
	}
	if got := content(t, store); len(got) != len(want) {
		t.Errorf("%d keys, want %d", len(got), len(want))
	}
}

// TestLeftoverOfARotation: a log segment that could neither be finished nor removed does not block the next try
// (IOE-05).
func TestLeftoverOfARotation(t *testing.T) {
	disk := fsys.NewMem()
	fault := fsys.NewFault(disk)
	store := openStore(t, fault)
	for round := range 3 {
		put(t, store, string(rune('a'+round)))
		fault.SetHook(func(op fsys.Op, name string) error {
			if op == fsys.OpSyncDir || op == fsys.OpRemove {
				return syscall.ENOSPC
			}
			return nil
		})
		for range 3 {
			wantErr(t, "Flush", store.Flush(context.Background()), ErrRefused)
		}
		fault.SetHook(nil)
		flush(t, store)
	}
	put(t, store, "z")
	check(t, store.Sync())
	for _, image := range []*fsys.Mem{disk.Clone(), disk.CrashClone(nil)} {
		if got := keysOf(t, openStore(t, image), Range{}); strings.Join(got, "") != "abcz" {
			t.Errorf("reopened: %q", got)
		}
	}
}
