package fsys

import (
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"
)

// content reads a whole file.
func content(t *testing.T, disk FS, name string) string {
	t.Helper()
	f, err := disk.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	p := make([]byte, info.Size())
	if n, err := f.ReadAt(p, 0); n != len(p) || (err != nil && err != io.EOF) {
		t.Fatalf("read %d of %d bytes: %v", n, len(p), err)
	}
	return string(p)
}

func create(t *testing.T, disk FS, name string) File {
	t.Helper()
	f, err := disk.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func write(t *testing.T, f File, s string, off int64) {
	t.Helper()
	if n, err := f.WriteAt([]byte(s), off); n != len(s) || err != nil {
		t.Fatalf("wrote %d of %d bytes: %v", n, len(s), err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func names(t *testing.T, disk FS, dir string) []string {
	t.Helper()
	l, err := disk.List(dir)
	must(t, err)
	return l
}

func TestCrashKeepsOnlyWhatWasSynced(t *testing.T) {
	disk := NewMem()
	must(t, disk.MkdirAll("/a/store"))
	f := create(t, disk, "/a/store/f")
	write(t, f, "synced", 0)
	must(t, f.Sync())
	write(t, f, "lost", 6)
	create(t, disk, "/a/store/g")

	if got := names(t, disk.CrashClone(nil), "/a/store"); len(got) != 0 {
		t.Fatalf("entries of a directory that was never synced: %q", got)
	}
	must(t, disk.SyncDir("a/store"))
	after := disk.CrashClone(nil)
	if got := names(t, after, "/a/store"); !slices.Equal(got, []string{"f", "g"}) {
		t.Fatalf("got %q", got)
	}
	if got := content(t, after, "/a/store/f"); got != "synced" {
		t.Fatalf("got %q", got)
	}
	if got := content(t, disk, "/a/store/f"); got != "syncedlost" {
		t.Fatalf("the disk itself holds %q", got)
	}
	if got := content(t, disk.Clone(), "/a/store/f"); got != "syncedlost" {
		t.Fatalf("after a kill: %q", got)
	}
}

// Over many seeds each of the outcomes that a disk may leave shows up, and no other.
func TestCrashOutcomes(t *testing.T) {
	disk := NewMem()
	f := create(t, disk, "old")
	write(t, f, "x", 0)
	must(t, f.Sync())
	must(t, disk.SyncDir("."))
	must(t, disk.Rename("old", "new"))
	create(t, disk, "other")

	seen := map[string]bool{}
	for seed := range uint64(200) {
		after := disk.CrashClone(rand.New(rand.NewPCG(seed, 0)))
		seen[func() (s string) {
			for _, name := range names(t, after, "/") {
				s += name + " "
			}
			return s
		}()] = true
	}
	want := []string{"old ", "new ", "old other ", "new other "}
	for _, w := range want {
		if !seen[w] {
			t.Errorf("never seen: %q", w)
		}
	}
	if len(seen) != len(want) {
		t.Errorf("seen %v, want %q", seen, want)
	}
}

func TestCrashTearsWrites(t *testing.T) {
	disk := NewMem()
	f := create(t, disk, "f")
	must(t, disk.SyncDir("/"))
	page := make([]byte, 4*sector)
	for i := range page {
		page[i] = 1
	}
	write(t, f, string(page), 0)
	whole, none, part := 0, 0, 0
	for seed := range uint64(200) {
		got := content(t, disk.CrashClone(rand.New(rand.NewPCG(seed, 1))), "f")
		switch got {
		case "":
			none++
		case string(page):
			whole++
		default:
			part++
		}
	}
	if whole == 0 || none == 0 || part == 0 {
		t.Fatalf("whole %d, none %d, part %d", whole, none, part)
	}
	again := func() string { return content(t, disk.CrashClone(rand.New(rand.NewPCG(7, 1))), "f") }
	first := again()
	if second := again(); second != first {
		t.Fatalf("one seed, two outcomes: %q and %q", first, second)
	}
}

func TestMemForgetUnsynced(t *testing.T) {
	disk := NewMem()
	f := create(t, disk, "f")
	must(t, disk.SyncDir("/"))
	write(t, f, "gone", 0)
	must(t, disk.ForgetUnsynced("f"))
	write(t, f, "!", 4)
	must(t, f.Sync())
	if got := content(t, disk, "f"); got != "gone!" {
		t.Fatalf("got %q", got)
	}
	if got := content(t, disk.CrashClone(nil), "f"); got != "\x00\x00\x00\x00!" {
		t.Fatalf("after the crash: %q", got)
	}
}

func TestMemRoom(t *testing.T) {
	disk := NewMem()
	disk.SetRoom(10)
	f := create(t, disk, "f")
	write(t, f, "12345678", 0)
	n, err := f.WriteAt([]byte("abcdef"), 6)
	if n != 4 || !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("got %d, %v", n, err)
	}
	if got := content(t, disk, "f"); got != "123456abcd" {
		t.Fatalf("got %q", got)
	}
	must(t, disk.Remove("f"))
	if disk.Used() != 0 {
		t.Fatalf("used %d after removal", disk.Used())
	}
	write(t, create(t, disk, "g"), "0123456789", 0)
}

func TestMemErrors(t *testing.T) {
	disk := NewMem()
	must(t, disk.MkdirAll("d"))
	f := create(t, disk, "d/f")
	r, err := disk.Open("d/f")
	must(t, err)
	_, missing := disk.Open("d/g")
	_, noParent := disk.Create("x/g")
	_, readOnly := r.WriteAt([]byte("a"), 0)
	must(t, f.Close())
	for what, ok := range map[string]bool{
		"open of a missing file":      errors.Is(missing, fs.ErrNotExist),
		"create without a directory":  errors.Is(noParent, fs.ErrNotExist),
		"write through a read handle": readOnly != nil,
		"second close":                errors.Is(f.Close(), fs.ErrClosed),
		"sync after close":            errors.Is(f.Sync(), fs.ErrClosed),
		"remove of a full directory":  disk.Remove("d") != nil,
		"directory over a file":       disk.MkdirAll("d/f/g") != nil,
		"rename of a missing file":    errors.Is(disk.Rename("d/g", "d/h"), fs.ErrNotExist),
		"removal of a missing file":   errors.Is(disk.Remove("d/g"), fs.ErrNotExist),
	} {
		if !ok {
			t.Error(what)
		}
	}
}
