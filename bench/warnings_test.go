package bench

import (
	"strings"
	"testing"
)

func TestWarnings(t *testing.T) {
	r := sample()
	r.Settings.CacheSize = 1 << 30
	r.Settings.DeviceLatency, r.Settings.Cold = 0, false
	r.Rows[1].Present.TableOpens = 3
	r.Settings.Warmup = 0
	r.Rows = append(r.Rows, Row{Bits: 12, Plan: "adaptive", Family: Ribbon, Absent: r.Rows[1].Absent,
		Present: r.Rows[1].Absent})
	all := strings.Join(warningsOf(r), "\n")
	for _, want := range []string{
		"fits into the block cache",
		"fits into the system's cache of files",
		"not synced",
		"without --warmup nothing was",
		"theory (bits 10: 2010, not 1600 to 1930)",
		"tables were opened during lookups, more than the store keeps open; that is in their disk reads (bits 10 present: 3)",
		"99.9 % time (bits off absent: 50; bits off present: 50)",
		"spreads wide between rounds (bits 10 absent: 30.0 to 90.0)",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in\n%s", want, all)
		}
	}
	if got := someOf([]string{"a", "b", "c", "d", "e", "f", "g"}); got != "a; b; c; d; and 3 more" {
		t.Errorf("seven rows are named %q", got)
	}
	if got := someOf([]string{"a", "b", "c", "d", "e"}); got != "a; b; c; d; e" {
		t.Errorf("five rows are named %q", got)
	}
	quiet := &Result{Settings: Settings{Cold: true}}
	for _, w := range warningsOf(quiet) {
		if !strings.Contains(w, "not synced") && !strings.Contains(w, "race detector") {
			t.Errorf("a warning without cause: %s", w)
		}
	}
}
