package cmd

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestTables(t *testing.T) {
	dir := fruit(t)
	rows := jsonRows(t, dir, "tables -d DIR --keys quoted")
	if len(rows) != 2 {
		t.Fatalf("%d tables", len(rows))
	}
	newest := rows[0]
	for name, want := range map[string]any{
		"level": 0.0, "entries": 3.0, "keys": 3.0, "deletions": 0.0, "smallest": `"banana"`, "largest": `"grape"`,
		"smallest_seq": 5.0, "largest_seq": 7.0,
	} {
		if newest[name] != want {
			t.Errorf("%s of the newest table is %v, want %v", name, newest[name], want)
		}
	}
	out := mustRun(t, dir, "tables -d DIR")
	if !strings.HasPrefix(out, "table ") || !strings.Contains(out, "apple") {
		t.Errorf("as a table: %s", out)
	}
}

// TestNoTablesYet: what was put a moment ago is in no table, and who looks for it there is told.
func TestNoTablesYet(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	run(t, dir, "put -d DIR fig green")
	for _, line := range []string{"tables -d DIR", "filters -d DIR", "filters -d DIR --probe 10"} {
		if _, stderr, code := run(t, dir, line); code != ExitOK || !strings.HasPrefix(stderr, "no tables, ") {
			t.Errorf("%s: exit code %d, %q", line, code, stderr)
		}
	}
	run(t, dir, "flush -d DIR")
	mustRun(t, dir, "tables -d DIR")
}
