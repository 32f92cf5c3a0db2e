package report

import (
	"bytes"
	"strings"
	"testing"

	"siftdb/bench"
)

// TestSettingsInTables: rows of other plans and families are told apart, and compared at equal bits.
func TestSettingsInTables(t *testing.T) {
	r := sample(t)
	blocked := r.Rows[1]
	blocked.Plan, blocked.Family, blocked.Policy = "uniform", bench.Blocked, "blocked 10"
	blocked.Waste = bench.Waste{Absent: 0.8, AbsentLow: 0.79, AbsentHigh: 0.81, AbsentTheory: 0.75, Present: 0.1}
	r.Rows = []bench.Row{r.Rows[0], blocked, r.Rows[1]}
	r.Settings.Layout, r.Settings.Levels, r.Settings.Ratio = bench.Levels, 4, 10
	var b bytes.Buffer
	if err := WriteMarkdown(&b, r); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| bits asked | plan | family | filter MiB |",
		"| 10 | uniform | blocked | 0.244 |",
		"| off |  |  | 0.000 |",
		"Wasted block reads per lookup, at equal bits per key",
		"| 10 | uniform | blocked | 10.24 | 75.00 % | 80.00 (79.00 – 81.00) % | – | 10.00 % |",
		"| 10 | by-level | recommended | 10.24 | 18.00 % | 20.00 (19.00 – 21.00) % | 4.00 | 2.000 % |",
		"Levels, and their filters for absent keys",
		"4 full levels, each 10 times as large as the one above",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
}

// TestUsualSettingsGoWithoutSaying: a run of one plan and family has no columns for them, nor a comparison.
func TestUsualSettingsGoWithoutSaying(t *testing.T) {
	var b bytes.Buffer
	if err := WriteMarkdown(&b, sample(t)); err != nil {
		t.Fatal(err)
	}
	for _, none := range []string{"| plan |", "Wasted block reads", "Levels,"} {
		if strings.Contains(b.String(), none) {
			t.Errorf("%q is in\n%s", none, b.String())
		}
	}
}
