package cmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
