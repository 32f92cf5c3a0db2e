package cmd

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"siftdb/db"
)

// anyBytes are keys and values that text cannot hold, among others.
func anyBytes() map[string]string {
	entries := map[string]string{"": "", "tab\there": "newline\nhere", "\xff\xfe": "\r", "plain": `"quoted"`, "\r": " "}
	var all []byte
	for b := range 256 {
		all = append(all, byte(b))
	}
	entries[string(all)] = string(all)
	return entries
}

func TestExportImport(t *testing.T) {
	dir, want := filepath.Join(t.TempDir(), "any"), anyBytes()
	makeStore(t, dir, nil, func(store *db.DB) {
		for k, v := range want {
			put(t, store, k, v)
		}
	})
	for _, form := range []string{"quoted", "hex", "base64"} {
		for _, name := range []string{"entries.tsv", "entries.tsv.gz"} {
			file := filepath.Join(t.TempDir(), name)
			if _, stderr, code := run(t, dir, "export -d DIR --keys "+form+" --values "+form+" "+file); code != ExitOK {
				t.Fatalf("%s: exit code %d, %s", form, code, stderr)
			}
			again := filepath.Join(t.TempDir(), "again")
			_, stderr, code := run(t, again, "import -d DIR --keys "+form+" --values "+form+" "+file)
			if code != ExitOK || !strings.Contains(stderr, "imported 6 entries") {
				t.Fatalf("%s: exit code %d, %s", form, code, stderr)
			}
			if got := contents(t, again); !reflect.DeepEqual(got, want) {
				t.Errorf("%s by %s: %q, want %q", form, name, got, want)
			}
		}
	}
}

func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	got := make(map[string]string)
	makeStore(t, dir, nil, func(store *db.DB) {
		for e, err := range store.Scan(db.Range{}) {
			if err != nil {
				t.Fatal(err)
			}
			got[string(e.Key)] = string(e.Value)
		}
	})
	return got
}

func TestExportText(t *testing.T) {
	dir := fruit(t)
	stdout, stderr, code := run(t, dir, "export -d DIR --to c")
	if code != ExitOK || stdout != "apple\tred\nbanana\tbrown\n" || !strings.Contains(stderr, "exported 2 entries") {
		t.Errorf("exit code %d, %q, %q", code, stdout, stderr)
	}
	mustRun(t, dir, "put -d DIR --keys quoted --values quoted \"t\\tab\" \"n\\newline\"")
	stdout, stderr, code = run(t, dir, "export -d DIR --from t")
	if code != ExitError || stdout != "" || stderr != `siftdb: key "t\tab" cannot be written as text: there is a tab in it; --keys quoted can hold it`+"\n" {
		t.Errorf("exit code %d, %q, %q", code, stdout, stderr)
	}
	_, stderr, code = run(t, dir, `export -d DIR --from "t" --keys quoted `+filepath.Join(t.TempDir(), "out"))
	if code != ExitError || !strings.Contains(stderr, "newline in it; --values quoted can hold it") {
		t.Errorf("exit code %d, %q", code, stderr)
	}
}

// TestExportIsWholeOrAbsent: a file that could not be written to its end does not take the place of the one before.
func TestExportIsWholeOrAbsent(t *testing.T) {
	dir, out := fruit(t), t.TempDir()
	mustRun(t, dir, "put -d DIR --values quoted zebra \"a\\tb\"")
	file := filepath.Join(out, "export.tsv")
	if err := os.WriteFile(file, []byte("before"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, code := run(t, dir, "export -d DIR "+file); code != ExitError {
		t.Fatalf("exit code %d", code)
	}
	names, err := filepath.Glob(filepath.Join(out, "*"))
	if err != nil || len(names) != 1 {
		t.Errorf("the folder holds %v, %v", names, err)
	}
	if b, err := os.ReadFile(file); err != nil || string(b) != "before" {
		t.Errorf("%q, %v", b, err)
	}
}

// TestExportIntoADirectory: that a directory has the name is told before anything is read.
func TestExportIntoADirectory(t *testing.T) {
	out := t.TempDir()
	_, stderr, code := run(t, fruit(t), "export -d DIR "+out)
	if code != ExitError || !strings.Contains(stderr, out+" is a directory: name a file in it") ||
		strings.Contains(stderr, "exported") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	if _, err := os.Stat(out + ".part"); err == nil {
		t.Error("a part is left")
	}
}
