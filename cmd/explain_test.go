package cmd

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestExplain(t *testing.T) {
	dir := fruit(t)
	for key, want := range map[string][]string{
		"kiwi":   {"memory: absent", "memory: found", "not needed", "not needed"},
		"date":   {"memory: absent", "memory: deleted", "not needed", "not needed"},
		"banana": {"memory: absent", "memory: absent", "true pass", "not needed"},
		"apple":  {"memory: absent", "memory: absent", "range miss", "true pass"},
		"aa":     {"memory: absent", "memory: absent", "range miss", "range miss"},
	} {
		if got := outcomes(t, dir, "explain -d DIR "+key); strings.Join(got, ", ") != strings.Join(want, ", ") {
			t.Errorf("%s: %v, want %v", key, got, want)
		}
	}
	want := []string{"memory: absent", "memory: absent", "absent, no filter", "absent, no filter"}
	if got := outcomes(t, dir, "explain -d DIR bb --ignore-filters"); strings.Join(got[:2], ", ") != strings.Join(want[:2], ", ") {
		t.Errorf("without filters: %v, want %v", got, want)
	}
	out := mustRun(t, dir, "explain -d DIR apple")
	for _, part := range []string{
		"apple is there, with a value of 3 bytes.\n",
		"Tables: 2; range misses: 1, not needed: 0, asked: 1; filter skips: 0, true passes: 1, false passes: 0.\n",
		"Data blocks: 1 read (", " 0 from the cache, 0 saved by filters. Reads of files, with those that open a table: 1 (",
	} {
		if !strings.Contains(out, part) {
			t.Errorf("%q is not in %s", part, out)
		}
	}
}

// outcomes are those of the steps of an explanation, memtables marked.
func outcomes(t *testing.T, dir, line string) (got []string) {
	t.Helper()
	var e explanation
	if err := json.Unmarshal([]byte(mustRun(t, dir, line+" -o json")), &e); err != nil {
		t.Fatal(err)
	}
	sums := e.Sums
	if n := sums.FilterSkips + sums.TruePasses + sums.FalsePasses; n > sums.Tables {
		t.Errorf("%s: %d answers of filters for %d tables", line, n, sums.Tables)
	}
	for _, s := range e.Steps {
		outcome := s.Outcome
		if s.Level < 0 {
			outcome = "memory: " + outcome
		}
		got = append(got, outcome)
	}
	return got
}

// TestExplainedLevels: below level 0, tables that the read passed by are one step.
func TestExplainedLevels(t *testing.T) {
	dir := orchard(t, 20_000, 10)
	var e explanation
	if err := json.Unmarshal([]byte(mustRun(t, dir, "explain -d DIR key00012345 -o json")), &e); err != nil {
		t.Fatal(err)
	}
	tables := len(jsonRows(t, dir, "tables -d DIR"))
	if tables < 3 {
		t.Fatalf("only %d tables", tables)
	}
	shown, below := 0, 0
	for _, s := range e.Steps {
		shown += s.Tables
		if s.Level > 0 {
			below++
		}
	}
	if !e.Found || e.ValueBytes != 90 || shown != tables || below > 3 {
		t.Errorf("%d tables, explained %+v", tables, e)
	}
}

// TestExplainFailedRead: what the read did until it met damage is shown.
func TestExplainFailedRead(t *testing.T) {
	dir := fruit(t)
	flip(t, fileOf(t, dir, "*.sst"), 10) // the older table
	stdout, stderr, code := run(t, dir, "explain -d DIR apple")
	if code != ExitCorrupt || !strings.Contains(stdout, "range miss") || !strings.Contains(stdout, "failed") ||
		!strings.Contains(stdout, "Tables: 2; range misses: 1, not needed: 0, asked: 0, failed: 1;") ||
		!strings.Contains(stderr, "at offset 0") {
		t.Errorf("exit code %d, %s, %s", code, stdout, stderr)
	}
}
