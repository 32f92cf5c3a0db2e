package cmd

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRepair: a store that has lost the file that names its manifest is refused, repaired, and as it was.
func TestRepair(t *testing.T) {
	dir := fruit(t)
	before := mustRun(t, dir, "scan -d DIR")
	if err := os.Remove(filepath.Join(dir, "CURRENT")); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"verify -d DIR", "get -d DIR fig"} {
		_, stderr, code := run(t, dir, line)
		for _, want := range []string{"CURRENT: missing", "; siftdb repair " + dir + " --yes keeps "} {
			if code != ExitCorrupt || !strings.Contains(stderr, want) {
				t.Errorf("%s: exit code %d, %q is not in %s", line, code, want, stderr)
			}
		}
	}
	stdout, stderr, code := run(t, dir, "repair DIR --yes")
	for _, want := range []string{"000002.sst  kept", "replayed  2 commits"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("%q is not in\n%s", want, stdout)
		}
	}
	for _, want := range []string{"found: corruption: ", "CURRENT: missing", "files of " + dir + " now end in .aside",
		"nothing is known to be lost\n"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("%q is not in\n%s", want, stderr)
		}
	}
	if code != ExitOK {
		t.Errorf("exit code %d", code)
	}
	if after := mustRun(t, dir, "scan -d DIR"); after != before {
		t.Errorf("the store holds\n%s, it held\n%s", after, before)
	}
	if _, _, code := run(t, dir, "verify -d DIR"); code != ExitOK {
		t.Errorf("verify: exit code %d", code)
	}
	if stdout, stderr, code := run(t, dir, "repair -d DIR --yes"); code != ExitOK || stdout != "" ||
		stderr != dir+" is sound, nothing was changed\n" {
		t.Errorf("again: exit code %d, %q, %q", code, stdout, stderr)
	}
}

// TestRepairWithLoss names the keys of which something is lost, and exits with 4.
func TestRepairWithLoss(t *testing.T) {
	dir := orchard(t, 2000, 10)
	file := fileOf(t, dir, "*.sst")
	flip(t, file, 10)
	stdout, stderr, code := run(t, dir, "repair DIR --yes -o json")
	if code != ExitCorrupt || !strings.Contains(stderr, "some of it is lost: corruption: "+file+" at offset 0") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	var rows []map[string]any
	if err := json.Unmarshal([]byte(stdout), &rows); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		damaged := row["file"] == filepath.Base(file)
		if lost, _ := row["lost"].(string); damaged && (row["fate"] != "salvaged" || !strings.HasPrefix(lost, "key00000000 to key000000")) ||
			!damaged && row["lost"] != nil {
			t.Errorf("row %v", row)
		}
	}
	if _, err := os.Stat(file + ".aside"); err != nil {
		t.Error(err)
	}
	mustRun(t, dir, "count -d DIR")
	if _, _, code := run(t, dir, "verify -d DIR"); code != ExitOK {
		t.Errorf("verify: exit code %d", code)
	}
}

// TestRepairAsks: without --yes, and of two stores, nothing is done.
func TestRepairAsks(t *testing.T) {
	dir := fruit(t)
	if err := os.Remove(filepath.Join(dir, "CURRENT")); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"repair DIR":              "give --yes to go on",
		"repair DIR -d DIR --yes": "not both",
		"repair --yes":            "which store?",
	} {
		stdout, stderr, code := run(t, dir, line)
		if code != ExitUsage || stdout != "" || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d, %q, %q", line, code, stdout, stderr)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "CURRENT")); err == nil {
		t.Error("it was done")
	}
	if _, stderr, code := run(t, t.TempDir(), "repair DIR --yes"); code != ExitError ||
		!strings.HasPrefix(stderr, "siftdb: no store in ") {
		t.Errorf("no store: exit code %d, %q", code, stderr)
	}
}
