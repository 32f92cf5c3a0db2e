package cmd

import (
	"strings"
	"testing"
)

func TestFlushAndCompact(t *testing.T) {
	dir := fruit(t)
	_, stderr, code := run(t, fruit(t), "compact -d DIR")
	if code != ExitOK || !strings.HasPrefix(stderr, "compacted the log and 2 tables") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	_, stderr, code = run(t, dir, "flush -d DIR")
	if code != ExitOK || !strings.HasPrefix(stderr, "flushed ") {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	if rows := jsonRows(t, dir, "tables -d DIR"); len(rows) != 3 {
		t.Errorf("%d tables after flush", len(rows))
	}
	_, stderr, code = run(t, dir, "compact -d DIR --bits off")
	if code != ExitOK || !strings.HasPrefix(stderr, "compacted 3 tables") {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	rows := jsonRows(t, dir, "tables -d DIR")
	if len(rows) != 1 || rows[0]["entries"] != 6.0 || rows[0]["deletions"] != 0.0 || rows[0]["filter"] != nil {
		t.Errorf("after compact: %v", rows)
	}
	if got := mustRun(t, dir, "count -d DIR"); got != "6\n" {
		t.Errorf("count: %s", got)
	}
}
