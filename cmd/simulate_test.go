package cmd

import (
	"encoding/json"
	"strings"
	"testing"
)

// simulatedJSON is what simulate -o json prints.
type simulatedJSON struct{ Simulated, Levels []map[string]any }

func simulationOf(t *testing.T, line string) (s simulatedJSON) {
	t.Helper()
	if err := json.Unmarshal([]byte(mustRun(t, "", line+" -o json")), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSimulateAddsUp: what is printed is what was asked for, and fits together.
func TestSimulateAddsUp(t *testing.T) {
	const line = "simulate --keys 20k --key-size 20 --value-size 80 --memtable 64KiB --table-size 64KiB --seed 3"
	s := simulationOf(t, line)
	inLevels := make(map[any]float64)
	for _, l := range s.Levels {
		inLevels[l["compaction"]] += l["bytes"].(float64)
	}
	for _, r := range s.Simulated {
		if r["writes"] != 40_000.0 || r["user_bytes"] != 4e6 || r["live_bytes"] != 2e6 {
			t.Errorf("%v does not have the workload", r)
		}
		written := r["flushed_bytes"].(float64) + r["compacted_bytes"].(float64)
		if r["write_amplification"] != written/4e6 || r["end_bytes"] != inLevels[r["compaction"]] || written < 4e6 {
			t.Errorf("%v does not add up with levels of %v", r, inLevels)
		}
	}
	first := mustRun(t, "", line)
	if again := mustRun(t, "", line); again != first {
		t.Errorf("the same flags print\n%s and\n%s", first, again)
	}
	if fill := simulationOf(t, line+" --updates 0").Simulated[0]; fill["writes"] != 20_000.0 {
		t.Errorf("without updates: %v", fill)
	}
}

func TestSimulateForms(t *testing.T) {
	for form, want := range map[string]string{
		"table":    "compaction    written/byte  room, at most",
		"markdown": "| compaction | written/byte | room, at most |",
		"csv":      "compaction,write_amplification,peak_amplification,",
		"json":     `{"compaction":"leveled","write_amplification":`,
	} {
		if got := mustRun(t, "", "simulate --keys 1000 --memtable 16KiB -o "+form); !strings.Contains(got, want) {
			t.Errorf("-o %s: %q is not in %s", form, want, got)
		}
	}
}

func TestSimulateUsage(t *testing.T) {
	for line, want := range map[string]string{
		"simulate":                          "how many keys?",
		"simulate --keys 2e9":               "--keys is up to 1e9",
		"simulate --keys 1M --key-size 0":   "a key has 1 byte",
		"simulate --keys 1M --deletes 2":    "--deletes is a share",
		"simulate --keys 1M --deletes NaN":  "--deletes is a share",
		"simulate --keys 1M --zipf -1":      "--zipf is 0 to 4",
		"simulate --keys 1M --ratio 1":      "--ratio is 2 to 1000",
		"simulate --keys 1M --workers 0":    "--workers is 1 to 1024",
		"simulate --keys 1M --speed -2":     "--speed is 0 to 1e6",
		"simulate --keys 1M --memtable 1":   "--memtable and --table-size are 1KiB to 64GiB",
		"simulate --keys 1M --table-size 1": "--memtable and --table-size are 1KiB to 64GiB",
		"simulate extra":                    "one argument too many",
	} {
		stdout, stderr, code := run(t, "", line)
		if code != ExitUsage || stdout != "" || !strings.Contains(stderr, want) {
			t.Errorf("siftdb %s: exit code %d, %q, want %q", line, code, stderr, want)
		}
	}
}
