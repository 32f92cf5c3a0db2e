package cmd

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

func TestWALDump(t *testing.T) {
	dir := fruit(t)
	file := fileOf(t, dir, "*.wal")
	rows := jsonRows(t, file, "wal dump DIR")
	if len(rows) != 3 || rows[0]["kind"] != "group" || rows[0]["writes"] != 1.0 || rows[0]["first_sequence"] != 8.0 ||
		rows[2]["kind"] != "end" {
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

// TestWALDumpOfNoLog: a name that is no file of a log is a wrong one, and no damage.
func TestWALDumpOfNoLog(t *testing.T) {
	dir := fruit(t)
	for _, name := range []string{filepath.Join(dir, "999999.wal"), dir, fileOf(t, dir, "*.sst")} {
		if _, stderr, code := run(t, name, "wal dump DIR"); code != ExitError || !strings.Contains(stderr, name) {
			t.Errorf("%s: exit code %d, %s", name, code, stderr)
		}
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
	if code != ExitCorrupt || len(rows) != 3 || rows[0]["kind"] != "unreadable" || rows[0]["problem"] == nil ||
		rows[1]["writes"] != 1.0 {
		t.Errorf("exit code %d, %v, %s", code, rows, stderr)
	}
	// The store refuses to open: there are sound records after the bad one.
	for _, line := range []string{"scan -d DIR", "put -d DIR a b", "verify -d DIR"} {
		if _, stderr, code := run(t, dir, line); code != ExitCorrupt || !strings.Contains(stderr, filepath.Base(file)) {
			t.Errorf("%s: exit code %d, %s", line, code, stderr)
		}
	}
}
