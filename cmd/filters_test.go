package cmd

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"siftdb/bloom"
	"siftdb/db"
)

func TestFiltersProbe(t *testing.T) {
	dir := orchard(t, 20_000, 6)
	stdout, stderr, code := run(t, dir, "filters -d DIR --probe 20k -o json")
	if code != ExitOK || !strings.HasPrefix(stderr, "looked up 20,000 keys: 0 there, 20,000 not;") {
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
	if expected := number(rows[0], "rate_expected"); expected < 0.001 || expected > 0.07 || rows[0]["mark"] != nil {
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
	// 6 to 14 bits a key, as they are shared out, give 0.2 to 6 %: all that chance allows is far from 0 and from 20 %.
	if rate := number(rows[0], "rate_measured"); rate < 0.0005 || rate > 0.12 {
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

// TestWorstFilters: of tables that differ, those come first that let most reads pass, asked or not; and no more than were
// asked for.
func TestWorstFilters(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mixed")
	for i, bits := range []float64{12, 3, 8} {
		makeStore(t, dir, &db.Options{NoCompaction: true, Filter: bloom.Blocked(bits)}, func(store *db.DB) {
			var batch db.Batch
			for k := range 2000 {
				batch.Put(fmt.Appendf(nil, "key%08d", 3*k+i), []byte("value"))
			}
			if err := store.Apply(&batch); err != nil {
				t.Fatal(err)
			}
			flush(t, store)
		})
	}
	for _, line := range []string{"filters -d DIR --worst", "filters -d DIR --worst --probe 3k", "filters -d DIR --worst=2"} {
		var asked []float64
		for _, row := range rowsOf(t, dir, line) {
			asked = append(asked, row["bits_asked"].(float64))
		}
		if want := []float64{3, 8, 12}; !slices.Equal(asked, want[:len(asked)]) || len(asked) < 2 ||
			strings.HasSuffix(line, "=2") && len(asked) != 2 {
			t.Errorf("%s: tables with bits %v", line, asked)
		}
	}
	if _, stderr, code := run(t, dir, "filters -d DIR --worst=0"); code != ExitUsage ||
		!strings.Contains(stderr, "a number of tables is expected") {
		t.Errorf("--worst=0: exit code %d, %s", code, stderr)
	}
}

// rowsOf are the rows that a command prints, whatever it says beside them.
func rowsOf(t *testing.T, dir, line string) (rows []map[string]any) {
	t.Helper()
	stdout, stderr, code := run(t, dir, line+" -o json")
	if code != ExitOK {
		t.Fatalf("%s: exit code %d, %s", line, code, stderr)
	}
	if err := json.Unmarshal([]byte(stdout), &rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestOlderSettingIsMarked: tables made under another setting than most keys are, or than is asked for; and young
// tables that moved down as they were.
func TestOlderSettingIsMarked(t *testing.T) {
	dir := orchard(t, 20_000, 6)
	makeStore(t, dir, &db.Options{NoCompaction: true, Filter: bloom.Classic(9)}, func(store *db.DB) {
		putMany(t, store, 20_000, 20)
		flush(t, store)
	})
	for flags, want := range map[string]map[string]string{
		"":                           {"classic 9": "older setting: classic 9"},
		"--bits 9 --family classic":  {"bits per key 6": "older setting: bits per key 6"},
		"--bits 6":                   {"classic 9": "older setting: classic 9"},
		"--bits 7.5 --family ribbon": {"classic 9": "older setting: classic 9", "bits per key 6": "older setting: bits per key 6"},
	} {
		tables := 0
		for _, row := range rowsOf(t, dir, "filters -d DIR "+flags) {
			policy, ok := row["policy"].(string)
			if !ok {
				continue
			}
			tables++
			if mark, _ := row["mark"].(string); mark != want[policy] {
				t.Errorf("%s: table of %s is marked %q", flags, policy, mark)
			}
		}
		if tables < 3 {
			t.Errorf("%d tables", tables)
		}
	}
	moved := filterSetting{name: "bits per key 10", policy: bloom.BitsPerKey(10)}
	info := db.TableInfo{Level: 3, Keys: 10_000, FilterPolicy: "bits per key 10", FilterFamily: "blocked"}
	if got := moved.outdated(info); got != "bits per key 10 in level 0" {
		t.Errorf("a table that was moved down: %q", got)
	}
	if info.FilterFamily = "ribbon"; moved.outdated(info) != "" {
		t.Errorf("a table in its place: %q", moved.outdated(info))
	}
}

// TestPlanesOfFilters: those in memory, those in the file, and what they take there.
func TestPlanesOfFilters(t *testing.T) {
	dir := orchard(t, 20_000, 8)
	planes := 0
	for _, row := range rowsOf(t, dir, "filters -d DIR") {
		if row["family"] != "ribbon" {
			continue
		}
		planes++
		built, resident := row["planes_built"].(float64), row["planes_resident"].(float64)
		if resident < 1 || resident >= built || row["file_bytes"].(float64) <= row["filter_bytes"].(float64) {
			t.Errorf("%v", row)
		}
	}
	if out := mustRun(t, dir, "filters -d DIR"); planes == 0 || !strings.Contains(out, "/12 ") {
		t.Errorf("%d ribbons in %s", planes, out)
	}
}
