package cmd

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// TestDamageInStore: a read that meets damage and verify name file and offset, and what to do next, and exit with 4.
func TestDamageInStore(t *testing.T) {
	dir := orchard(t, 2000, 10)
	file := fileOf(t, dir, "*.sst")
	tables := len(jsonRows(t, dir, "tables -d DIR"))
	flip(t, file, 10)
	stdout, stderr, code := run(t, dir, "verify -d DIR -o json")
	if code != ExitCorrupt || !strings.Contains(stderr, "siftdb: 1 of ") || !strings.Contains(stderr, file+" at offset 0") {
		t.Errorf("verify: exit code %d, %s", code, stderr)
	}
	if next := "; siftdb repair " + dir + " --yes keeps "; !strings.Contains(stderr, next) {
		t.Errorf("verify does not say %q: %s", next, stderr)
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
		if next := "; siftdb verify -d " + dir + " says "; !strings.Contains(stderr, next) {
			t.Errorf("%s does not say %q: %s", line, next, stderr)
		}
	}
}
