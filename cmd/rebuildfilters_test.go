package cmd

import (
	"context"
	"strings"
	"testing"

	"siftdb/db"
)

// TestRebuildFilters: all tables get the filter that is asked for, at all levels, and what is there already is left alone.
func TestRebuildFilters(t *testing.T) {
	dir := orchard(t, 20_000, 6)
	before := mustRun(t, dir, "scan -d DIR")
	for _, c := range []struct{ flags, policy, young, old string }{
		{"--bits 12 --family ribbon", "ribbon 12", "ribbon", "ribbon"},
		{"--bits 8", "bits per key 8", "blocked", "ribbon"},
		{"--bits 9 --family classic", "classic 9", "classic", "classic"},
		{"--bits 11 --family fuse", "fuse 11", "fuse", "fuse"},
		{"--bits 12 --family cuckoo", "cuckoo 12", "cuckoo", "cuckoo"},
		{"--bits off", "none", "", ""},
		{"--bits 7.5 --family blocked", "blocked 7.5", "blocked", "blocked"},
	} {
		stdout, stderr, code := run(t, dir, "rebuild-filters -d DIR "+c.flags)
		if code != ExitOK || stdout != "" || !strings.Contains(stderr, "rebuilding filters of tables: ") ||
			!strings.Contains(stderr, "all have "+c.policy+", ") {
			t.Fatalf("%s: exit code %d, %s", c.flags, code, stderr)
		}
		for _, table := range jsonRows(t, dir, "tables -d DIR") {
			want := c.old
			if table["level"] == 0.0 {
				want = c.young
			}
			if kind, _ := table["filter"].(string); kind != want {
				t.Errorf("%s: %v", c.flags, table)
			}
		}
		if mustRun(t, dir, "scan -d DIR") != before {
			t.Errorf("%s: the store holds something else", c.flags)
		}
		_, stderr, code = run(t, dir, "rebuild-filters -d DIR "+c.flags)
		if code != ExitOK || !strings.HasPrefix(stderr, "rebuilt the filters of 0 tables in ") {
			t.Errorf("%s again: exit code %d, %s", c.flags, code, stderr)
		}
	}
}

// TestRebuildFiltersInterrupted: what was done stays done and is told, and nothing is lost.
func TestRebuildFiltersInterrupted(t *testing.T) {
	dir := orchard(t, 2_000, 6)
	before := mustRun(t, dir, "scan -d DIR")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, _, err := execute(ctx, strings.Fields("rebuild-filters --bits 9 -d "+dir)...)
	if ExitCode(err) != ExitInterrupted || ErrorLine(err) != "siftdb: interrupted" {
		t.Errorf("%v", err)
	}
	if mustRun(t, dir, "scan -d DIR") != before {
		t.Error("the store holds something else")
	}
	makeStore(t, dir, nil, func(*db.DB) {}) // it opens for writing
}

func TestRebuildFiltersUsage(t *testing.T) {
	dir := fruit(t)
	for line, want := range map[string]string{
		"rebuild-filters -d DIR":                       "which filters? Give --bits",
		"rebuild-filters -d DIR --bits many":           "neither a number nor off",
		"rebuild-filters -d DIR --bits 65":             "bits per key",
		"rebuild-filters -d DIR --bits 9 --family xor": "it must be one of recommended, classic, blocked, ribbon, fuse, cuckoo",
	} {
		stdout, stderr, code := run(t, dir, line)
		if code != ExitUsage || stdout != "" || !strings.Contains(stderr, want) {
			t.Errorf("siftdb %s: exit code %d, %q, want %q", line, code, stderr, want)
		}
	}
}
