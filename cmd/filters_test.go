package cmd

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

func TestFiltersProbe(t *testing.T) {
	dir := orchard(t, 20_000, 6)
	stdout, stderr, code := run(t, dir, "filters -d DIR --probe 2k -o json")
	if code != ExitOK || !strings.HasPrefix(stderr, "looked up 2,000 keys: 0 there, 2,000 not;") {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	var rows []map[string]any
	if err := json.Unmarshal([]byte(stdout), &rows); err != nil {
		t.Fatal(err)
	}
	number := func(row map[string]any, name string) float64 {
		x, ok := row[name].(float64)
		if !ok {
			t.Fatalf("%s of %v is %v", name, row["scope"], row[name])
		}
		return x
	}
	sums := map[string]float64{}
	if expected := number(rows[0], "rate_expected"); expected < 0.01 || expected > 0.07 || rows[0]["mark"] != nil {
		t.Errorf("store: %v", rows[0])
	}
	for _, row := range rows {
		checks := number(row, "checks")
		if checks != number(row, "skips")+number(row, "true_passes")+number(row, "false_passes") {
			t.Errorf("counters do not add up: %v", row)
		}
		if row["scope"] == "table" && (row["family"] != "blocked" && row["family"] != "ribbon" || row["bits_asked"] != 6.0) {
			t.Errorf("filter %v", row)
		}
		if checks == 0 {
			t.Errorf("no filter of %v %v was asked", row["scope"], row["table"])
		}
		if low, rate, high := number(row, "rate_low"), number(row, "rate_measured"), number(row, "rate_high"); low > rate || rate > high {
			t.Errorf("interval %g to %g about %g", low, high, rate)
		}
		sums[row["scope"].(string)] += checks
	}
	if sums["store"] != sums["level"] || sums["store"] != sums["table"] {
		t.Errorf("checks by scope: %v", sums)
	}
	// 6 bits a key give 1 to 6 %, as they lie: all that chance allows is far from 0 and from 20 %.
	if rate := number(rows[0], "rate_measured"); rate < 0.005 || rate > 0.12 {
		t.Errorf("measured rate %g", rate)
	}
}

// TestUnusableFilter: it is told, and the store goes on without it.
func TestUnusableFilter(t *testing.T) {
	dir := fruit(t)
	file := fileOf(t, dir, "*.sst")
	for _, s := range jsonRows(t, file, "table layout DIR") {
		if s["kind"] == "filter" {
			flip(t, file, int64(s["offset"].(float64))+3)
		}
	}
	marked := 0
	for _, row := range jsonRows(t, dir, "filters -d DIR") {
		if mark, ok := row["mark"].(string); ok && strings.HasPrefix(mark, "unusable: ") {
			marked++
			if row["table"] != filepath.Base(file) {
				t.Errorf("marked %v", row)
			}
		}
	}
	if marked != 1 {
		t.Errorf("%d filters marked", marked)
	}
	stdout, stderr, code := run(t, dir, "explain -d DIR apple")
	if code != ExitOK || !strings.Contains(stdout, "found, no filter") || !strings.Contains(stderr, "filter not usable") {
		t.Errorf("explain: exit code %d, %q, %s", code, stdout, stderr)
	}
	if stdout, _, code := run(t, dir, "get -d DIR apple"); code != ExitOK || stdout != "red\n" {
		t.Errorf("get: exit code %d, %q", code, stdout)
	}
	if _, _, code := run(t, dir, "verify -d DIR"); code != ExitCorrupt {
		t.Errorf("verify: exit code %d", code)
	}
}
