package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"siftdb/bench"
	"siftdb/db"
)

// execute runs the siftdb command with words and gives what it wrote.
func execute(ctx context.Context, words ...string) (stdout, stderr string, err error) {
	var out, errs bytes.Buffer
	root := New()
	root.SetArgs(words)
	root.SetOut(&out)
	root.SetErr(&errs)
	err = root.ExecuteContext(ctx)
	return out.String(), errs.String(), err
}

func TestExitCode(t *testing.T) {
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, ExitOK},
		{errors.New("any"), ExitError},
		{usageError(New(), "wrong"), ExitUsage},
		{fmt.Errorf("get: %w", db.ErrNotFound), ExitNotFound},
		{fmt.Errorf("open: %w", &db.CorruptionError{File: "000001.sst"}), ExitCorrupt},
		{fmt.Errorf("scan: %w", context.Canceled), ExitInterrupted},
	} {
		if got := ExitCode(c.err); got != c.want {
			t.Errorf("ExitCode(%v) = %d, want %d", c.err, got, c.want)
		}
	}
}

func TestWrongCalls(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"bnech", `unknown command "bnech", did you mean bench?`},
		{"--nothing", "unknown flag"},
		{"bnech --quick -o json", `unknown command "bnech", did you mean bench?`},
		{"wal dmup -o json", `unknown command "dmup", did you mean dump?`},
		{"bench extra", `"extra" is one argument too many`},
		{"bench --n many", "whole number"},
		{"bench --n 1.5", "whole number"},
		{"bench --cache lots", "size in bytes"},
		{"bench --bits on", "neither a number nor"},
		{"bench --bits 1000", "flag: siftdb: bits per key is 1000"},
		{"bench --seed many", `"many" is no whole number`},
		{"bench --layout heap", "layout"},
		{"bench -o yaml", "must be one of table, json, csv, markdown"},
		{"bench --absent file", "needs a file of present keys"},
		{"bench --layout overlap --tables 0", "0 tables"},
		{"bench --tables 100", "--tables means something with --layout overlap only"},
		{"bench --layout overlap --levels 3", "--levels means something with --layout levels only"},
		{"bench --ratio 4", "--ratio means something with --layout levels only"},
		{"bench --ranges 10", "--ranges means something with --traffic zipf"},
		{"bench --keys file --n 5000", "--n means something without --keys only"},
		{"bench --keys file --key-form url", "--key-form means something without --keys only"},
		{"bench --live --bits 8", "--bits means something without --live only"},
		{"bench --live --hits 0.5", "--hits means something without --live only"},
		{"bench --live --warmup 5k", "--warmup means something without --live only"},
		{"bench --live --device-latency 1ms", "--device-latency means something without --live only"},
		{"bench --tables 0", "--tables means something with --layout overlap only"},
		{"bench --layout levels --ratio 2", "2 times as large"},
		{"bench --plan level", "filter plan"},
		{"bench --family bloom", "filter family"},
		{"bench --scenario rain", "none of [signup"},
		{"bench --live=10", "two or more settings"},
		{"bench --hits 2", "0 to 1"},
		{"bench --hits half", `"half" is no share, such as 0.9`},
		{"bench --traffic rush", "traffic"},
		{"bench --key-form uuid", "form of keys"},
	} {
		stdout, _, err := execute(context.Background(), strings.Fields(c.line)...)
		if ExitCode(err) != ExitUsage || !strings.Contains(fmt.Sprint(err), c.want) ||
			!strings.HasPrefix(fmt.Sprint(err), "siftdb: ") {
			t.Errorf("siftdb %s: error %v, want a usage error with %q", c.line, err, c.want)
		}
		if stdout != "" {
			t.Errorf("siftdb %s wrote data: %s", c.line, stdout)
		}
	}
}

func TestHelpIsNoError(t *testing.T) {
	for _, line := range []string{"", "--help", "bench --help"} {
		stdout, _, err := execute(context.Background(), strings.Fields(line)...)
		if err != nil || !strings.Contains(stdout, "bench") {
			t.Errorf("siftdb %s: %v, %q", line, err, stdout)
		}
	}
}

const tinyBench = "bench --n 2k --value-size 10 --layout overlap --tables 4 --bits off,10 --lookups 500 "

func TestBench(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	profiles := filepath.Join(t.TempDir(), "profiles")
	stdout, stderr, err := execute(context.Background(),
		strings.Fields(tinyBench+"-o json --seed 5 --out "+out+" --profile "+profiles)...)
	if err != nil {
		t.Fatal(err)
	}
	var r bench.Result
	if err := json.Unmarshal([]byte(stdout), &r); err != nil {
		t.Fatalf("%v in %s", err, stdout)
	}
	if program := r.Header.CommandLine[0]; program != filepath.Base(program) {
		t.Errorf("the report says where the program lay: %s", program)
	}
	if len(r.Rows) != 2 || r.Settings.Seed != 5 || r.Settings.PresentKeys != 2000 || r.Rows[0].Absent.DiskReads != 4*500 {
		t.Errorf("result %+v", r)
	}
	if !strings.Contains(stderr, "bits 10, load: 2,000 of 2,000") {
		t.Errorf("progress %q", stderr)
	}
	for _, name := range []string{"results.json", "results.csv", "bench.txt", "report.html", "rate.svg", "rate.png"} {
		if _, err := os.Stat(filepath.Join(out, name)); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"cpu.pprof", "allocs.pprof", "block.pprof", "mutex.pprof"} {
		if _, err := os.Stat(filepath.Join(profiles, name)); err != nil {
			t.Error(err)
		}
	}
}

// TestBenchOut: where the report cannot be written is told before anything is measured.
func TestBenchOut(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, err := execute(context.Background(), strings.Fields(tinyBench+"--out "+file)...)
	if ExitCode(err) != ExitError || !strings.HasPrefix(ErrorLine(err), "siftdb: bench: --out: ") || stdout+stderr != "" {
		t.Errorf("%v, %s, %s", err, stdout, stderr)
	}
}

func TestBenchForms(t *testing.T) {
	for form, want := range map[string]string{
		"table": "Filters and absent keys", "markdown": "| bits asked |", "csv": "bits_per_key,policy,",
	} {
		stdout, stderr, err := execute(context.Background(), strings.Fields(tinyBench+"-o "+form)...)
		if told := strings.Contains(stderr+stdout, "writes are not synced"); !told {
			t.Errorf("-o %s: warnings are nowhere", form)
		}
		if err != nil || !strings.Contains(stdout, want) {
			t.Errorf("-o %s: %v, %s", form, err, stdout)
		}
	}
}

// TestBenchScenario: a scenario brings settings of its own, flags change them, and its story is told.
func TestBenchScenario(t *testing.T) {
	line := "bench --quick --scenario signup --n 2k --bits 10 --lookups 500 -o json"
	stdout, _, err := execute(context.Background(), strings.Fields(line)...)
	var r bench.Result
	if err != nil || json.Unmarshal([]byte(stdout), &r) != nil {
		t.Fatalf("%v in %s", err, stdout)
	}
	s := &r.Settings
	if len(r.Rows) != 1 || s.PresentKeys != 2000 || s.Hits != 0.05 || !strings.Contains(s.Keys, "@gmail.com") ||
		!strings.Contains(s.Story, "address") {
		t.Errorf("result %+v", r)
	}
}

func TestBenchLive(t *testing.T) {
	line := "bench --live --layout levels --levels 2 --ratio 4 --n 40k --lookups 500"
	stdout, stderr, err := execute(context.Background(), strings.Fields(line)...)
	if err != nil || !strings.Contains(stdout, "10 → 6") || !strings.Contains(stdout, "6 → 12") {
		t.Errorf("%v, %s, %s", err, stdout, stderr)
	}
}

// TestBenchInterrupted: what was measured is written whole, and neither text nor exit code lets it pass for a whole run.
func TestBenchInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	stdout, _, err := execute(ctx, strings.Fields(tinyBench+"-o json")...)
	var r bench.Result
	if json.Unmarshal([]byte(stdout), &r) != nil || !r.Interrupted {
		t.Errorf("interrupted run: %s", stdout)
	}
	if line := ErrorLine(err); ExitCode(err) != ExitInterrupted || line != "siftdb: bench: interrupted: 0 of 2 rows were done" {
		t.Errorf("exit code %d, %s", ExitCode(err), line)
	}
}

func TestFlagValues(t *testing.T) {
	var n count
	for word, want := range map[string]int{"0": 0, "500000": 500_000, "500k": 500_000, "2M": 2_000_000, "1_000": 1000} {
		if err := n.Set(word); err != nil || int(n) != want {
			t.Errorf("count %q: %d, %v", word, n, err)
		}
	}
	var b byteSize
	for word, want := range map[string]int64{"none": 0, "0": 0, "64MiB": 64 << 20, "1kB": 1000} {
		if err := b.Set(word); err != nil || int64(b) != want {
			t.Errorf("size %q: %d, %v", word, b, err)
		}
	}
}
