package db

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"siftdb/internal/fsys"
)

// promiseReadOnly: nothing is changed, not even by recovery (PLT-05, WAL-06, COR-03).
func promiseReadOnly(t *testing.T) {
	t.Run("calls", readOnlyCalls)
	t.Run("pending log in memory", readOnlyPendingLog)
	t.Run("batch larger than the memtable in the log", readOnlyLargeBatch)
	t.Run("no store", readOnlyNoStore)
	t.Run("locks", readOnlyLocks)
	t.Run("directory without permission to write", readOnlyPermissions)
}

// unwritable is a file system that nothing may be written to. What tries is noted.
type unwritable struct {
	FS
	t *testing.T
}

func (u unwritable) refuse(call, name string) error {
	u.t.Errorf("a read-only store calls %s of %s", call, name)
	return &fs.PathError{Op: call, Path: name, Err: syscall.EROFS}
}

func (u unwritable) Create(name string) (File, error) { return nil, u.refuse("create", name) }
func (u unwritable) Rename(_, name string) error      { return u.refuse("rename", name) }
func (u unwritable) Remove(name string) error         { return u.refuse("remove", name) }
func (u unwritable) MkdirAll(name string) error       { return u.refuse("mkdir", name) }
func (u unwritable) SyncDir(name string) error        { return u.refuse("sync", name) }

func (u unwritable) Lock(name string, mode LockMode) (io.Closer, error) {
	if mode != fsys.LockShared {
		return nil, u.refuse("lock", name)
	}
	return u.FS.Lock(name, mode)
}

// sums are the contents of all files in a directory.
func sums(t *testing.T, fs FS, dir string) string {
	t.Helper()
	all := ""
	for _, name := range files(t, fs, dir, nil) {
		all += fmt.Sprintf("%s %x\n", name, sha256.Sum256(readFile(t, fs, filepath.Join(dir, name))))
	}
	return all
}

func readOnly(o *Options) { o.ReadOnly = true }

func readOnlyCalls(t *testing.T) {
	disk := fsys.NewMem()
	store := openStore(t, disk)
	fill(t, store, 300, 100, "")
	quiet(t, store)
	want := content(t, store)
	check(t, store.Close())
	before := sums(t, disk, "store")

	store = openStore(t, unwritable{disk, t}, readOnly)
	var b Batch
	b.Put([]byte("k"), nil)
	ctx := context.Background()
	for call, err := range map[string]error{
		"Put": store.Put([]byte("k"), nil), "Delete": store.Delete([]byte("k")), "Apply": store.Apply(&b),
		"Apply of nothing": store.Apply(new(Batch)), "Put of an over-long key": store.Put(make([]byte, MaxKeySize+1), nil),
		"RebuildFilters": store.RebuildFilters(ctx, nil),
		"Flush":          store.Flush(ctx), "Compact": store.Compact(ctx, Range{}),
		"Compact of no range": store.Compact(ctx, Range{Upper: []byte{}}),
	} {
		if err != ErrReadOnly {
			t.Errorf("%s: %v", call, err)
		}
	}
	check(t, store.Sync())
	quiet(t, store)
	for _, err := range store.Verify(ctx) {
		check(t, err)
	}
	if got := content(t, store); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%d keys, want %d", len(got), len(want))
	}
	check(t, store.View(func(s *Snapshot) error { _, err := s.Get([]byte("key000001")); return err }))
	store.Metrics()
	check(t, store.Close())
	if after := sums(t, disk, "store"); after != before {
		t.Errorf("files were\n%sand are\n%s", before, after)
	}
}

// readOnlyPendingLog opens what a killed process left: with a torn end of its log.
func readOnlyPendingLog(t *testing.T) {
	disk := fsys.NewMem()
	store := openStore(t, disk)
	fill(t, store, 200, 200, "")
	check(t, store.Sync())
	want := content(t, store)
	killed := disk.Clone()
	logs := files(t, killed, "store", withSuffix(".wal"))
	newest := filepath.Join("store", logs[len(logs)-1])
	writeFile(t, killed, newest, append(readFile(t, killed, newest), "torn"...))
	before := sums(t, killed, "store")
	for range 2 {
		reader := openStore(t, unwritable{killed, t}, readOnly)
		if got := content(t, reader); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%d keys, want %d", len(got), len(want))
		}
		if m := reader.Metrics(); m.LogDropped != 4 {
			t.Errorf("%d bytes dropped", m.LogDropped)
		}
		check(t, reader.Close())
	}
	if after := sums(t, killed, "store"); after != before {
		t.Errorf("files were\n%sand are\n%s", before, after)
	}
}

func readOnlyLargeBatch(t *testing.T) {
	disk := fsys.NewMem()
	store := openStore(t, disk)
	put(t, store, "small before")
	var b Batch
	for i := range 1000 {
		b.Put(fmt.Appendf(nil, "large%04d", i), filled("", 1000, ""))
	}
	check(t, store.Apply(&b, Sync))
	put(t, store, "small after") // in the next log segment
	check(t, store.Sync())
	want := content(t, store)
	killed := disk.Clone()
	before := sums(t, killed, "store")
	reader := openStore(t, unwritable{killed, t}, readOnly)
	if got := content(t, reader); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%d keys, want %d", len(got), len(want))
	}
	check(t, reader.Close())
	if after := sums(t, killed, "store"); after != before {
		t.Error("files have changed")
	}
	if got := content(t, openStore(t, killed)); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("opened for writing: %d keys, want %d", len(got), len(want))
	}
}

func readOnlyNoStore(t *testing.T) {
	for name, change := range map[string]func(*Options){
		"ReadOnly": readOnly, "MustExist": func(o *Options) { o.MustExist = true },
	} {
		disk := fsys.NewMem()
		check(t, disk.MkdirAll("empty"))
		check(t, disk.MkdirAll("foreign"))
		writeFile(t, disk, "foreign/notes.txt", []byte("mine"))
		o := small(disk)
		change(o)
		for _, dir := range []string{"empty", "foreign", "missing", "missing/deep"} {
			_, err := Open(dir, o)
			wantErr(t, name+" of "+dir, err, ErrNoStore)
		}
		for dir, want := range map[string]int{"empty": 0, "foreign": 1} {
			if names := files(t, disk, dir, nil); len(names) != want {
				t.Errorf("%s left %q in %s", name, names, dir)
			}
		}
		if _, err := disk.Stat("missing"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s made a directory", name)
		}
	}
}

// readOnlyLocks: readers share; beside a writer they are locked out, and the writer beside them.
func readOnlyLocks(t *testing.T) {
	for name, files := range map[string]func() (FS, string){
		"memory": func() (FS, string) { return fsys.NewMem(), "store" },
		"disk":   func() (FS, string) { return OSFiles(), filepath.Join(t.TempDir(), "store") },
	} {
		disk, dir := files()
		open := func(readOnly bool) (*DB, error) {
			o := small(disk)
			o.ReadOnly = readOnly
			return Open(dir, o)
		}
		writer, err := open(false)
		check(t, err)
		put(t, writer, "a")
		_, err = open(true)
		wantErr(t, name+": a reader beside a writer", err, ErrLocked)
		check(t, writer.Close())
		var readers []*DB
		for range 3 {
			reader, err := open(true)
			check(t, err)
			wantValue(t, reader, "a", "a")
			readers = append(readers, reader)
		}
		_, err = open(false)
		wantErr(t, name+": a writer beside readers", err, ErrLocked)
		for _, reader := range readers {
			wantValue(t, reader, "a", "a")
			check(t, reader.Close())
		}
		writer, err = open(false)
		check(t, err)
		check(t, writer.Close())
	}
}

// readOnlyPermissions opens a store whose directory and files nobody may write, with and without its lock file.
func readOnlyPermissions(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("permissions do not bind this user")
	}
	dir := filepath.Join(t.TempDir(), "store")
	store, err := Open(dir, nil)
	check(t, err)
	put(t, store, "a")
	check(t, store.Close())
	for _, lockFile := range []bool{true, false} {
		if !lockFile {
			check(t, os.Remove(filepath.Join(dir, lockName)))
		}
		check(t, os.Chmod(dir, 0o555))
		reader, err := Open(dir, &Options{ReadOnly: true})
		if err != nil {
			t.Errorf("lock file %v: %v", lockFile, err)
		} else {
			wantValue(t, reader, "a", "a")
			check(t, reader.Close())
		}
		_, err = Open(dir, nil)
		wantErr(t, "a writer", err, fs.ErrPermission)
		check(t, os.Chmod(dir, 0o755))
	}
}
