package cmd

import (
	"encoding/json"
	"strings"
	"testing"
)

// plannedJSON is what plan -o json prints.
type plannedJSON struct {
	Levels  []map[string]float64
	Filters []map[string]any
	ByLevel []map[string]any `json:"by_level"`
	Notes   []string
}

func planOf(t *testing.T, line string) (p plannedJSON) {
	t.Helper()
	if err := json.Unmarshal([]byte(mustRun(t, "", line+" -o json")), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// of is a number of the filters of a family and a plan.
func (p plannedJSON) of(t *testing.T, family, plan, name string) float64 {
	t.Helper()
	for _, f := range p.Filters {
		if f["family"] == family && f["plan"] == plan {
			return f[name].(float64)
		}
	}
	t.Fatalf("no %s filters, %s", family, plan)
	return 0
}

// TestPlanOfTwoBillionKeys: what fits no machine here has numbers all the same, and ribbon filters shared out by level
// save an order of magnitude of the reads of what many stores do.
func TestPlanOfTwoBillionKeys(t *testing.T) {
	p := planOf(t, "plan --keys 2e9 --key-size 24 --value-size 100")
	if len(p.Levels) != 6 || len(p.Filters) != len(p.ByLevel) || len(p.Notes) == 0 {
		t.Fatalf("%+v", p)
	}
	keys := 0.0
	for _, l := range p.Levels {
		keys += l["keys"]
	}
	if keys != 2e9 {
		t.Errorf("%g keys in all levels", keys)
	}
	if none := p.of(t, "none", "uniform", "absent_reads"); none < 5 || none > 7 {
		t.Errorf("%g reads without filters", none)
	}
	blocked, ribbon := p.of(t, "blocked", "uniform", "absent_reads"), p.of(t, "ribbon", "by-level", "absent_reads")
	if blocked < 10*ribbon {
		t.Errorf("%g reads with blocked filters, %g with ribbons by level", blocked, ribbon)
	}
	for _, f := range p.Filters[1:] {
		if bytes := f["memory_bytes"].(float64); bytes > 2.51e9 || bytes < 2.49e9 && f["family"] != "fuse" { // of whole bits
			t.Errorf("%v, %v: %g bytes for 10 bits per key", f["family"], f["plan"], bytes)
		}
		if ns, reads := f["absent_ns"].(float64), f["absent_reads"].(float64); ns < 0.999e5*reads || ns > 1.001e5*reads {
			t.Errorf("%v, %v: %g ns for %g reads of 100 µs", f["family"], f["plan"], ns, reads)
		}
	}
}

func TestPlanForMemoryAndTarget(t *testing.T) {
	p := planOf(t, "plan --keys 100M --memory 64MiB --hits 0.9 --skew 0.99")
	if bytes := p.of(t, "blocked", "uniform", "memory_bytes"); bytes < 66e6 || bytes > 68e6 {
		t.Errorf("%g bytes where there are 64 MiB", bytes)
	}
	adaptive, byLevel := p.of(t, "ribbon", "adaptive", "absent_reads"), p.of(t, "ribbon", "by-level", "absent_reads")
	if adaptive > 0.8*byLevel {
		t.Errorf("on skewed lookups %g wasted reads adaptive, %g by level", adaptive, byLevel)
	}
	p = planOf(t, "plan --keys 100M --target 0.001")
	for _, f := range p.Filters[1:] {
		if reads := f["absent_reads"].(float64); reads > 0.001 || reads < 0.0005 {
			t.Errorf("%v, %v: %g reads for a target of 0.001", f["family"], f["plan"], reads)
		}
	}
	stdout, stderr, code := run(t, "", "plan --keys 100M --target 1e-9")
	if code != ExitOK || !strings.Contains(stderr, "ribbon, by-level: no memory keeps") || !strings.Contains(stdout, "–") {
		t.Errorf("a target out of reach: exit code %d, %s, %s", code, stderr, stdout)
	}
}

// TestPlanForms: each form has the rows, and numbers may be written as people write them.
func TestPlanForms(t *testing.T) {
	for form, want := range map[string]string{
		"table":    "filters      shared out  bits/key",
		"markdown": "| filters | shared out | bits/key |",
		"csv":      "family,plan,bits_per_key,memory_bytes,absent_reads,",
		"json":     `{"family":"recommended","plan":"adaptive","bits_per_key":`,
	} {
		first := mustRun(t, "", "plan --keys 2000000 -o "+form)
		if !strings.Contains(first, want) {
			t.Errorf("-o %s: %q is not in %s", form, want, first)
		}
		for _, number := range []string{"2e6", "2M", "2_000_000", "2000k"} {
			if mustRun(t, "", "plan --keys "+number+" -o "+form) != first {
				t.Errorf("--keys %s is not 2000000", number)
			}
		}
	}
}

func TestPlanUsage(t *testing.T) {
	for line, want := range map[string]string{
		"plan":                                "how many keys?",
		"plan --keys many":                    `"many" is no whole number`,
		"plan --keys 1.5":                     `"1.5" is no whole number`,
		"plan --keys 1e30":                    `"1e30" is no whole number`,
		"plan --keys -5":                      `"-5" is no whole number`,
		"plan --keys 1M --bits 65":            "--bits is more than 0, up to 64",
		"plan --keys 1M --bits NaN":           "--bits is more than 0, up to 64",
		"plan --keys 1M --ratio 1":            "--ratio is 2 to 1000",
		"plan --keys 1M --hits 2":             "--hits is a share, 0 to 1",
		"plan --keys 1M --target 0":           "--target is more than 0",
		"plan --keys 1M --memory none":        "--memory 0 is no filters",
		"plan --keys 1M --bits 9 --target .1": "--bits, --memory and --target exclude each other",
		"plan --keys 1M --latency -1s":        "--latency is not negative",
		"plan --keys 1M --memtable 1":         "--memtable and --table-size are 1KiB to 64GiB",
		"plan extra":                          "one argument too many",
	} {
		stdout, stderr, code := run(t, "", line)
		if code != ExitUsage || stdout != "" || !strings.Contains(stderr, want) {
			t.Errorf("siftdb %s: exit code %d, %q, want %q", line, code, stderr, want)
		}
	}
}

func TestTimeText(t *testing.T) {
	for ns, want := range map[float64]string{0: "0 ns", 0.00123: "0.00123 ns", 999.4: "999 ns", 999.6: "1 µs",
		2.5e6: "2.5 ms", 1.234e9: "1.23 s", 5e12: "5,000 s"} {
		if got := timeText(ns); got != want {
			t.Errorf("%g ns: %q, want %q", ns, got, want)
		}
	}
}
