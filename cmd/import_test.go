package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"siftdb/db"
	"siftdb/internal/fsys"
)

func TestImportRefusesMalformedLines(t *testing.T) {
	for _, c := range []struct{ flags, in, want, kept string }{
		{"", "a\t1\nb 2\nc\t3\n", "input: line 2: a key, a tab and a value expected, there is no tab; the entry before is imported", "1"},
		{"", "a\t1\nb\t2\nc\t3\t4", "input: line 3: a key, a tab and a value expected, there is a second tab; the 2 entries before are imported", "2"},
		{"", "a\n", "there is no tab; nothing is imported", "0"},
		{"", "a\t1\n\n", "line 2: a key, a tab and a value expected, there is no tab", "1"},
		{"--keys hex", "61\t1\n6\t2\n", `line 2: key: "6" is no hexadecimal text`, "1"},
		{"--values quoted", "a\t\"1\"\nb\t2\n", `line 2: value: "2" is no string in double quotes`, "1"},
		{"", "a\t1\n" + strings.Repeat("k", db.MaxKeySize+1) + "\t2\n", "line 2: a key of 65,536 bytes, the limit is 65,535", "1"},
	} {
		dir := filepath.Join(t.TempDir(), "store")
		_, stderr, code := runWith(t, c.in, dir, strings.Fields("import -d DIR - "+c.flags)...)
		if code != ExitError || !strings.Contains(stderr, c.want) {
			t.Errorf("%q: exit code %d, %s, want %s", c.in, code, stderr, c.want)
		}
		if n := mustRun(t, dir, "count -d DIR"); n != c.kept+"\n" {
			t.Errorf("%q: %s keys are there", c.in, n)
		}
	}
}

// TestImportOfMissingFiles: a file that cannot be there for reading is told before a store is made or anything imported.
func TestImportOfMissingFiles(t *testing.T) {
	there := filepath.Join(t.TempDir(), "there.tsv")
	if err := os.WriteFile(there, []byte("a\t1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		filepath.Join(t.TempDir(), "missing.tsv"): "missing.tsv: no such file",
		filepath.Dir(there):                       "is a directory: name files of lines",
	} {
		dir := filepath.Join(t.TempDir(), "store")
		_, stderr, code := runWith(t, "", dir, "import", "-d", dir, there, name)
		if runtime.GOOS == "windows" { // has words of its own for a missing file
			want = ""
		}
		if code != ExitError || !strings.Contains(stderr, want) || strings.Contains(stderr, "imported") {
			t.Errorf("%s: exit code %d, %s", name, code, stderr)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s: a store was made", name)
		}
	}
}

// TestImportToAFailingDisk: entries that the store had taken without a sync are not said to be there when the disk
// then fails.
func TestImportToAFailingDisk(t *testing.T) {
	for _, c := range []struct {
		noSync bool
		want   string
	}{
		{false, "the 2 entries before are imported"},
		{true, "of the entries before, 2 in number, the last may be missing"},
	} {
		files := fsys.NewFault(fsys.NewMem())
		store, err := db.Open("store", &db.Options{FS: files, NoSync: c.noSync})
		if err != nil {
			t.Fatal(err)
		}
		im := &importer{store: store, meter: newMeter(io.Discard, "importing")}
		lines := newPairReader(strings.NewReader("a\t1\nb\t2\n"), formText, formText)
		if err := im.run(t.Context(), lines); err != nil {
			t.Fatal(err)
		}
		files.SetHook(func(fsys.Op, string) error { return errors.New("disk failed") })
		if got := im.kept(); got != c.want {
			t.Errorf("without sync %v: %q, want %q", c.noSync, got, c.want)
		}
		files.SetHook(nil)
		_ = store.Close()
	}
}

func TestImportMany(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	var lines bytes.Buffer
	for i := range 30_000 {
		fmt.Fprintf(&lines, "key%06d\t%s\n", i%20_000, strings.Repeat("v", 40))
	}
	_, stderr, code := runWith(t, lines.String(), dir, strings.Fields("import -d DIR --no-sync --bits 12 -")...)
	if code != ExitOK || !strings.Contains(stderr, "imported 30,000 entries") {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	if got := mustRun(t, dir, "count -d DIR"); got != "20000\n" {
		t.Errorf("count: %s", got)
	}
	if _, stderr, _ := runWith(t, "a\t1\n", dir, "import", "-d", "DIR", "-"); !strings.HasPrefix(stderr, "imported 1 entry, 2 B") {
		t.Errorf("one line: %s", stderr)
	}
}
