package fsys

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var weakSync = regexp.MustCompile(`\b(Fsync|Fdatasync|Sync_file_range|SyncFileRange|SYS_FSYNC|SYS_FDATASYNC|O_SYNC|O_DSYNC)\b`)

// TestSyncReachesTheMedium: files and directories are synced by package os alone. On macOS that asks the drive
// (F_FULLFSYNC), with a fall-back where a file system lacks it; a system call of our own would reach the drive's cache
// only (SYN-06).
func TestSyncReachesTheMedium(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	created, err := OS.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer created.Close()
	opened, err := OS.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	for how, f := range map[string]File{"created": created, "opened": opened} {
		if _, ok := f.(*os.File); !ok {
			t.Errorf("a file that was %s is a %T: its Sync is not that of package os", how, f)
		}
	}
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	syncsDirectories := 0
	for _, source := range sources {
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		if found := weakSync.Find(text); found != nil {
			t.Errorf("%s uses %s", source, found)
		}
		if strings.Contains(string(text), "d.Sync()") {
			syncsDirectories++
		}
	}
	if syncsDirectories != 1 {
		t.Errorf("%d files sync a directory through package os, want 1", syncsDirectories)
	}
}
