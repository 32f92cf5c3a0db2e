package cmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"siftdb/db"
)

func TestGet(t *testing.T) {
	dir := fruit(t)
	for line, want := range map[string]string{
		"get -d DIR fig":                    "green\n",
		"get --db DIR banana":               "brown\n",
		"get -d DIR fig --raw":              "green",
		"get -d DIR --keys hex 666967":      "green\n",
		"get -d DIR fig --values hex":       "677265656e\n",
		"get -d DIR fig --values quoted":    "\"green\"\n",
		"get -d DIR fig --values base64":    "Z3JlZW4=\n",
		"-d DIR get kiwi":                   "green\n",
		`get -d DIR --keys quoted "\x66ig"`: "green\n",
	} {
		if got := mustRun(t, dir, line); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	for _, key := range []string{"date", "plum"} {
		stdout, stderr, code := run(t, dir, "get -d DIR "+key)
		if code != ExitNotFound || stdout != "" || stderr != "siftdb: not found: "+key+"\n" {
			t.Errorf("get %s: exit code %d, %q, %q", key, code, stdout, stderr)
		}
	}
}

func TestStoreOfTheEnvironment(t *testing.T) {
	t.Setenv(dirVariable, fruit(t))
	stdout, _, err := execute(t.Context(), "get", "fig")
	if err != nil || stdout != "green\n" {
		t.Errorf("%v, %q", err, stdout)
	}
}

func TestPutDelete(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "store")
	_, stderr, code := run(t, dir, "put -d DIR fig green")
	if code != ExitOK || stderr != "made a new store in "+dir+"\n" {
		t.Fatalf("exit code %d, %q", code, stderr)
	}
	mustRun(t, dir, "put -d DIR --keys hex --values base64 00ff AAE=")
	if _, stderr, code := runWith(t, "two\nlines\n", dir, "put", "-d", "DIR", "poem", "-"); code != ExitOK {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	want := "\"\\x00\\xff\"\t\"\\x00\\x01\"\nfig\tgreen\npoem\t\"two\\nlines\\n\"\n"
	if got := mustRun(t, dir, "scan -d DIR"); got != want {
		t.Errorf("scan gives %q, want %q", got, want)
	}
	mustRun(t, dir, "delete -d DIR fig nothing")
	if got := mustRun(t, dir, "count -d DIR"); got != "2\n" {
		t.Errorf("count after delete: %q", got)
	}
}

func TestScan(t *testing.T) {
	dir := fruit(t)
	for line, want := range map[string]string{
		"":                                 "apple\tred\nbanana\tbrown\ncherry\tdark red\nfig\tgreen\ngrape\tblue\nkiwi\tgreen\n",
		"--from b --to fig":                "banana\tbrown\ncherry\tdark red\n",
		"--prefix b":                       "banana\tbrown\n",
		"--prefix b --from c":              "",
		"--limit 2 --reverse --keys-only":  "kiwi\ngrape\n",
		"--limit 1 --keys hex":             "6170706c65\tred\n",
		"--to banana -o csv":               "key,value\napple,red\n",
		"--to banana -o json":              "[\n{\"key\":\"apple\",\"value\":\"red\"}\n]\n",
		"--from x -o json":                 "[]\n",
		"--to cherry -o markdown":          "| key | value |\n| --- | --- |\n| apple | red |\n| banana | brown |\n",
		"--to cherry -o table --keys-only": "key\napple\nbanana\n",
		"--to cherry -o lines":             "apple\tred\nbanana\tbrown\n",
	} {
		if got := mustRun(t, dir, "scan -d DIR "+line); got != want {
			t.Errorf("scan %s: %q, want %q", line, got, want)
		}
	}
	if got := mustRun(t, dir, "count -d DIR --from b --to g"); got != "3\n" {
		t.Errorf("count: %q", got)
	}
}

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

func TestImportRefusesMalformedLines(t *testing.T) {
	for _, c := range []struct{ flags, in, want, kept string }{
		{"", "a\t1\nb 2\nc\t3\n", "input: line 2: a key, a tab and a value expected, there is no tab; the entry before is imported", "1"},
		{"", "a\t1\nb\t2\nc\t3\t4", "input: line 3: a key, a tab and a value expected, there is a second tab; the 2 entries before are imported", "2"},
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
}

// TestScanIsJSON: whatever bytes there are, what is printed is one JSON value.
func TestScanIsJSON(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "any")
	makeStore(t, dir, nil, func(store *db.DB) {
		for k, v := range anyBytes() {
			put(t, store, k, v)
		}
	})
	for _, form := range []string{"text", "quoted", "hex", "base64"} {
		var got []struct{ Key, Value string }
		out := mustRun(t, dir, "scan -d DIR -o json --keys "+form+" --values "+form)
		if err := json.Unmarshal([]byte(out), &got); err != nil || len(got) != len(anyBytes()) {
			t.Errorf("%s: %v, %s", form, err, out)
		}
	}
}
