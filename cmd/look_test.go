package cmd

import (
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"siftdb/db"
)

// jsonRows runs a command with -o json and gives its rows.
func jsonRows(t *testing.T, dir, line string) (rows []map[string]any) {
	t.Helper()
	stdout, stderr, code := run(t, dir, line+" -o json")
	if code != ExitOK {
		t.Fatalf("siftdb %s: exit code %d, %s", line, code, stderr)
	}
	if err := json.Unmarshal([]byte(stdout), &rows); err != nil {
		t.Fatalf("siftdb %s: %v in %s", line, err, stdout)
	}
	return rows
}

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

// TestFormsAgree: a listing has the same rows and fields in each form for programs.
func TestFormsAgree(t *testing.T) {
	dir := fruit(t)
	for _, line := range []string{"tables", "filters", "verify"} {
		rows := jsonRows(t, dir, line+" -d DIR")
		stdout, _, _ := run(t, dir, line+" -d DIR -o csv")
		lines, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
		if err != nil || len(lines) != len(rows)+1 {
			t.Fatalf("%s: %d lines for %d rows, %v", line, len(lines), len(rows), err)
		}
		for i, row := range rows {
			if len(row) != len(lines[0]) {
				t.Errorf("%s: %d fields in JSON, %d in CSV", line, len(row), len(lines[0]))
			}
			for j, name := range lines[0] {
				if value, there := row[name]; !there || value == nil != (lines[i+1][j] == "") {
					t.Errorf("%s: field %s is %v in JSON and %q in CSV", line, name, value, lines[i+1][j])
				}
			}
		}
		markdown, _, _ := run(t, dir, line+" -d DIR -o markdown")
		if n := strings.Count(markdown, "\n"); n != len(rows)+2 || !strings.Contains(markdown, "| ---") {
			t.Errorf("%s: %d lines of Markdown for %d rows: %s", line, n, len(rows), markdown)
		}
	}
}

func TestInfo(t *testing.T) {
	dir := fruit(t)
	var got map[string]any
	if err := json.Unmarshal([]byte(mustRun(t, dir, "info -d DIR -o json")), &got); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]any{
		"directory": dir, "tables": 2.0, "entries": 7.0, "level_0_tables": 2.0, "level_0_entries": 7.0,
		"log_only_writes": 2.0, "last_sequence": 9.0, "log_dropped_bytes": 0.0,
	} {
		if got[name] != want {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
	people := mustRun(t, dir, "info -d DIR")
	if !strings.Contains(people, "writes that are only in the log") || !strings.Contains(people, "level 0 ") {
		t.Errorf("for people: %s", people)
	}
}

func TestFlushAndCompact(t *testing.T) {
	dir := fruit(t)
	_, stderr, code := run(t, dir, "flush -d DIR")
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
		"Tables: 2, of which 1 asked, 1 range misses, 0 not needed; filter skips: 0, true passes: 1, false passes: 0.\n",
		"Data blocks: 1 read (", " 0 from the cache, 0 saved by filters; reads of table files: 2 (",
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
	for _, row := range rows {
		checks := number(row, "checks")
		if checks != number(row, "skips")+number(row, "true_passes")+number(row, "false_passes") {
			t.Errorf("counters do not add up: %v", row)
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
	// 6 bits a key give 6 %, or a little less: all that chance allows is far from 0 and from 20 %.
	if rate := number(rows[0], "rate_measured"); rate < 0.02 || rate > 0.12 {
		t.Errorf("measured rate %g", rate)
	}
}

func TestFiltersProbeOfAFile(t *testing.T) {
	dir := fruit(t)
	_, stderr, code := runWith(t, "apple\nbanana\tyellow\ncoconut\n", dir, "filters", "-d", "DIR", "--probe", "-")
	if code != ExitOK || !strings.HasPrefix(stderr, "looked up 3 keys: 2 there, 1 not;") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	_, stderr, code = runWith(t, "61\n6\n", dir, "filters", "-d", "DIR", "--keys", "hex", "--probe", "-")
	if code != ExitError || !strings.Contains(stderr, `input: line 2: key: "6" is no hexadecimal text`) {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	if _, _, code = run(t, dir, "filters -d DIR --probe nothing.txt"); code != ExitError {
		t.Errorf("a missing file: exit code %d", code)
	}
}

// TestKeysBetween: made keys are new, absent, each another, and within the tables' ranges; few keys leave room for
// many.
func TestKeysBetween(t *testing.T) {
	dir := fruit(t)
	makeStore(t, dir, nil, func(store *db.DB) {
		seen := make(map[string]bool)
		for key, err := range keysBetween(store, 50) {
			if err != nil {
				t.Fatal(err)
			}
			there, err := store.Has(key)
			if err != nil || there || seen[string(key)] || string(key) <= "apple" || string(key) >= "kiwi" {
				t.Errorf("made %q: there %v, again %v, %v", key, there, seen[string(key)], err)
			}
			seen[string(key)] = true
		}
		if len(seen) != 50 {
			t.Errorf("%d keys", len(seen))
		}
	})
}

func TestWilson(t *testing.T) {
	for _, c := range []struct {
		hits, trials int64
		low, high    float64
	}{
		{0, 0, 0, 1},
		{0, 10, 0, 0.2775},
		{10, 10, 0.7225, 1},
		{10, 1000, 0.0054, 0.0183},
		{50, 100, 0.4038, 0.5962},
	} {
		i := wilson(c.hits, c.trials)
		if near(i.low, c.low) && near(i.high, c.high) {
			continue
		}
		t.Errorf("%d of %d: %.4f to %.4f, want %.4f to %.4f", c.hits, c.trials, i.low, i.high, c.low, c.high)
	}
}

func near(a, b float64) bool { return a-b < 1e-4 && b-a < 1e-4 }
