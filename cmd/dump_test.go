package cmd

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fileOf is the only file in dir whose name matches, or the first of them.
func fileOf(t *testing.T, dir, pattern string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(names) == 0 {
		t.Fatalf("no %s in %s, %v", pattern, dir, err)
	}
	return names[0]
}

// flip changes one bit of a file.
func flip(t *testing.T, file string, offset int64) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	b[offset] ^= 4
	if err := os.WriteFile(file, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestTableDump(t *testing.T) {
	dir := fruit(t)
	file := fileOf(t, dir, "*.sst")
	rows := jsonRows(t, file, "table dump DIR --values hex")
	if len(rows) != 4 || rows[0]["key"] != "apple" || rows[0]["value"] != "726564" || rows[0]["kind"] != "SET" || rows[0]["sequence"] != 1.0 {
		t.Errorf("entries %v", rows)
	}
	layout := jsonRows(t, file, "table layout DIR")
	at := 0.0
	for _, s := range layout {
		if s["offset"] != at {
			t.Errorf("section %v begins at %v, want %v", s["kind"], s["offset"], at)
		}
		at += s["length"].(float64)
	}
	if info, err := os.Stat(file); err != nil || at != float64(info.Size()) {
		t.Errorf("sections end at %v, %v", at, err)
	}
	var facts map[string]any
	if err := json.Unmarshal([]byte(mustRun(t, file, "table properties DIR -o json")), &facts); err != nil {
		t.Fatal(err)
	}
	if facts["entries"] != 4.0 || facts["largest"] != "fig" || facts["filter"] != "bits per key 10" || facts["filter_family"] != "blocked" {
		t.Errorf("properties %v", facts)
	}
	if _, stderr, code := run(t, file, "table check DIR"); code != ExitOK || !strings.Contains(stderr, "is sound") {
		t.Errorf("check: exit code %d, %s", code, stderr)
	}
}

// TestDamagedTable: one bad block does not hide the others.
func TestDamagedTable(t *testing.T) {
	dir := orchard(t, 2000, 10)
	file := fileOf(t, dir, "*.sst")
	whole := jsonRows(t, file, "table dump DIR")
	blocks := jsonRows(t, file, "table layout DIR")
	second := int64(blocks[1]["offset"].(float64))
	flip(t, file, second+100)
	stdout, stderr, code := run(t, file, "table dump DIR -o json")
	var rows []map[string]any
	if err := json.Unmarshal([]byte(stdout), &rows); err != nil {
		t.Fatal(err)
	}
	if code != ExitCorrupt || !strings.Contains(stderr, filepath.Base(file)+" at offset ") || strings.Count(stderr, "\n") != 1 {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	lost, bad := int(blocks[1]["entries"].(float64)), 0
	for _, row := range rows {
		if row["problem"] != nil {
			bad++
			if row["block"] != float64(second) {
				t.Errorf("damage at %v, want %d", row["block"], second)
			}
		}
	}
	if bad != 1 || len(rows) != len(whole)-lost+1 {
		t.Errorf("%d of %d entries, %d bad", len(rows), len(whole), bad)
	}
	for _, line := range []string{"table check DIR", "table layout DIR"} {
		if _, stderr, code := run(t, file, line); code != ExitCorrupt {
			t.Errorf("%s: exit code %d, %s", line, code, stderr)
		}
	}
}

// TestDamageInStore: a read that meets damage and verify name file and offset, and exit with 4.
func TestDamageInStore(t *testing.T) {
	dir := orchard(t, 2000, 10)
	file := fileOf(t, dir, "*.sst")
	tables := len(jsonRows(t, dir, "tables -d DIR"))
	flip(t, file, 10)
	stdout, stderr, code := run(t, dir, "verify -d DIR -o json")
	if code != ExitCorrupt || !strings.Contains(stderr, "siftdb: 1 of ") || !strings.Contains(stderr, file+" at offset 0") {
		t.Errorf("verify: exit code %d, %s", code, stderr)
	}
	var rows []map[string]any
	if err := json.Unmarshal([]byte(stdout), &rows); err != nil || len(rows) != tables {
		t.Fatalf("%v, %d of %d tables", err, len(rows), tables)
	}
	for _, row := range rows {
		damaged := row["table"] == filepath.Base(file)
		if row["ok"] == damaged || (row["problem"] != nil) != damaged || damaged && row["offset"] != 0.0 {
			t.Errorf("row %v", row)
		}
	}
	smallest := ""
	for _, row := range jsonRows(t, dir, "tables -d DIR") {
		if row["table"] == filepath.Base(file) {
			smallest = row["smallest"].(string)
		}
	}
	for _, line := range []string{"get -d DIR " + smallest + "x", "scan -d DIR", "count -d DIR"} {
		_, stderr, code := run(t, dir, line)
		if line[:3] == "get" { // the filter may say no
			continue
		}
		if code != ExitCorrupt || !strings.HasPrefix(stderr, "siftdb: corruption: ") {
			t.Errorf("%s: exit code %d, %s", line, code, stderr)
		}
	}
}

// TestExplainFailedRead: what the read did until it met damage is shown.
func TestExplainFailedRead(t *testing.T) {
	dir := fruit(t)
	flip(t, fileOf(t, dir, "*.sst"), 10) // the older table
	stdout, stderr, code := run(t, dir, "explain -d DIR apple")
	if code != ExitCorrupt || !strings.Contains(stdout, "range miss") || !strings.Contains(stdout, "failed") || !strings.Contains(stderr, "at offset 0") {
		t.Errorf("exit code %d, %s, %s", code, stdout, stderr)
	}
}

// TestUnusableFilter: it is told, and the store goes on without it.
func TestUnusableFilter(t *testing.T) {
	dir := fruit(t)
	file := fileOf(t, dir, "*.sst")
	for _, s := range jsonRows(t, file, "table layout DIR") {
		if s["kind"] == "filter" {
			flip(t, file, int64(s["offset"].(float64))+3)
		}
	}
	marked := 0
	for _, row := range jsonRows(t, dir, "filters -d DIR") {
		if mark, ok := row["mark"].(string); ok && strings.HasPrefix(mark, "unusable: ") {
			marked++
			if row["table"] != filepath.Base(file) {
				t.Errorf("marked %v", row)
			}
		}
	}
	if marked != 1 {
		t.Errorf("%d filters marked", marked)
	}
	stdout, stderr, code := run(t, dir, "get -d DIR apple")
	if code != ExitOK || stdout != "red\n" || !strings.Contains(stderr, "filter not usable") {
		t.Errorf("get: exit code %d, %q, %s", code, stdout, stderr)
	}
	if _, _, code := run(t, dir, "verify -d DIR"); code != ExitCorrupt {
		t.Errorf("verify: exit code %d", code)
	}
}

func TestWALDump(t *testing.T) {
	dir := fruit(t)
	file := fileOf(t, dir, "*.wal")
	rows := jsonRows(t, file, "wal dump DIR")
	if len(rows) != 3 || rows[0]["kind"] != "group" || rows[0]["writes"] != 1.0 || rows[0]["first_sequence"] != 8.0 || rows[2]["kind"] != "end" {
		t.Errorf("records %v", rows)
	}
	want := []string{"put kiwi green", "delete date", "end"}
	var got []string
	for _, row := range jsonRows(t, file, "wal dump DIR --writes") {
		line := row["kind"].(string)
		for _, name := range []string{"key", "value"} {
			if text, ok := row[name].(string); ok {
				line += " " + text
			}
		}
		got = append(got, line)
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("writes %q, want %q", got, want)
	}
}

func TestDamagedWAL(t *testing.T) {
	dir := fruit(t)
	file := fileOf(t, dir, "*.wal")
	first := jsonRows(t, file, "wal dump DIR")[0]
	flip(t, file, int64(first["offset"].(float64))+20)
	stdout, stderr, code := run(t, file, "wal dump DIR -o json")
	var rows []map[string]any
	if err := json.Unmarshal([]byte(stdout), &rows); err != nil {
		t.Fatal(err)
	}
	if code != ExitCorrupt || len(rows) != 3 || rows[0]["kind"] != "unreadable" || rows[0]["problem"] == nil || rows[1]["writes"] != 1.0 {
		t.Errorf("exit code %d, %v, %s", code, rows, stderr)
	}
	// The store refuses to open: there are sound records after the bad one.
	for _, line := range []string{"scan -d DIR", "put -d DIR a b", "verify -d DIR"} {
		if _, stderr, code := run(t, dir, line); code != ExitCorrupt || !strings.Contains(stderr, filepath.Base(file)) {
			t.Errorf("%s: exit code %d, %s", line, code, stderr)
		}
	}
}

func TestManifestDump(t *testing.T) {
	dir := fruit(t)
	rows := jsonRows(t, dir, "manifest dump DIR")
	if len(rows) == 0 || rows[0]["kind"] != "snapshot" || rows[0]["offset"] != 32.0 {
		t.Fatalf("records %v", rows)
	}
	file := fileOf(t, dir, "MANIFEST-*")
	if of := jsonRows(t, file, "manifest dump DIR"); len(of) != len(rows) {
		t.Errorf("%d records of the file, %d of the directory", len(of), len(rows))
	}
	named := jsonRows(t, dir, "manifest check DIR")
	if len(named) != 3 { // two tables and a log
		t.Errorf("named %v", named)
	}

	flip(t, file, int64(rows[len(rows)-1]["offset"].(float64))+15)
	for _, line := range []string{"manifest dump " + file, "manifest dump DIR"} {
		_, stderr, code := run(t, dir, line)
		if code != ExitCorrupt || !strings.Contains(stderr, filepath.Base(file)+" at offset ") {
			t.Errorf("%s: exit code %d, %s", line, code, stderr)
		}
	}
}

func TestManifestCheckFindsMissingFiles(t *testing.T) {
	dir := fruit(t)
	file := fileOf(t, dir, "*.sst")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := run(t, dir, "manifest check DIR")
	if code != ExitCorrupt || !strings.Contains(stdout, "it is missing") || !strings.Contains(stderr, filepath.Base(file)) {
		t.Errorf("exit code %d, %s, %s", code, stdout, stderr)
	}
}

// TestParseGroup: bytes that are no group are refused, whatever they are.
func TestParseGroup(t *testing.T) {
	for _, b := range []string{"", "1234567", "12345678\x07", "12345678\x01", "12345678\x01\x05ab", "12345678\x01\x01a\x05b", "12345678\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f"} {
		if g, err := parseGroup([]byte(b)); err == nil {
			t.Errorf("%q is a group of %d", b, g.count)
		}
	}
	g, err := parseGroup([]byte("\x05\x00\x00\x00\x00\x00\x00\x00\x01\x01a\x02bc\x00\x00"))
	if err != nil || g.first != 5 || g.count != 2 {
		t.Errorf("%+v, %v", g, err)
	}
}

func FuzzParseGroup(f *testing.F) {
	f.Add([]byte("\x05\x00\x00\x00\x00\x00\x00\x00\x01\x01a\x02bc\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		g, err := parseGroup(b)
		if err != nil {
			return
		}
		n := 0
		for range g.ops() {
			n++
		}
		if n != g.count {
			t.Errorf("%d writes, counted %d", n, g.count)
		}
	})
}
