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
	if len(rows) != 4 || rows[0]["key"] != "apple" || rows[0]["value"] != "726564" || rows[0]["kind"] != "SET" ||
		rows[0]["sequence"] != 1.0 {
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
	if facts["entries"] != 4.0 || facts["largest"] != "fig" || facts["filter"] != "bits per key 10" ||
		facts["filter_family"] != "blocked" {
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
