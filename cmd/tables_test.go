package cmd

import (
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
