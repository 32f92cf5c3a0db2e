package cmd

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"siftdb/bloom"
	"siftdb/db"
)

// tunedJSON is what tune -o json prints.
type tunedJSON struct {
	Levels, Curve []map[string]float64
	Sums          map[string]any
	Notes         []string
}

func tuneOf(t *testing.T, dir, line string) (out tunedJSON) {
	t.Helper()
	stdout, stderr, code := run(t, dir, line+" -o json")
	if code != ExitOK {
		t.Fatalf("%s: exit code %d, %s", line, code, stderr)
	}
	if err := json.Unmarshal([]byte(stdout), &out); err != nil {
		t.Fatalf("%v in %s", err, stdout)
	}
	return out
}

func (out tunedJSON) sum(t *testing.T, name string) float64 {
	t.Helper()
	x, ok := out.Sums[name].(float64)
	if !ok {
		t.Fatalf("%s is %v", name, out.Sums[name])
	}
	return x
}

// says reports whether one of the notes says something.
func (out tunedJSON) says(something string) bool {
	return strings.Contains(strings.Join(out.Notes, "\n"), something)
}

// TestTune: without a probe lookups are taken to come from all over, the curve falls with memory, ribbons shared out waste
// least, and the advice is what the numbers say.
func TestTune(t *testing.T) {
	dir := orchard(t, 40_000, 8)
	out := tuneOf(t, dir, "tune -d DIR --target 0.0001 --memory 20KiB")
	if len(out.Levels) != 2 || len(out.Curve) != 19 || out.sum(t, "bits_set") != 8 {
		t.Fatalf("%+v", out)
	}
	for _, l := range out.Levels {
		if l["misses"] < 0.95 || l["misses"] > 1.05 {
			t.Errorf("an absent key meets %g tables of level %g", l["misses"], l["level"])
		}
	}
	for i, point := range out.Curve {
		for _, kind := range []string{"as_built_adaptive", "blocked_uniform", "classic_uniform", "ribbon_by_level",
			"ribbon_adaptive", "recommended_adaptive"} {
			wasted, ok := point[kind]
			if !ok || i > 0 && wasted > 1.0001*out.Curve[i-1][kind] {
				t.Errorf("%s at %g bits: %g wasted reads", kind, point["bits_per_key"], wasted)
			}
			if wasted < 0.97*point["ribbon_adaptive"] && point["bits_per_key"] <= 16 {
				t.Errorf("%s at %g bits wastes %g, ribbons %g", kind, point["bits_per_key"], wasted, point["ribbon_adaptive"])
			}
		}
	}
	if out.sum(t, "wasted_best") >= out.sum(t, "wasted_now") {
		t.Errorf("best %v, now %v", out.Sums["wasted_best"], out.Sums["wasted_now"])
	}
	for _, note := range []string{"Lookups are taken to be for absent keys",
		"siftdb rebuild-filters -d " + dir + " --bits ", " --family ribbon",
		"In 20 KiB, ", "To waste at most 0.0001 reads", "bloom.Ribbon("} {
		if !out.says(note) {
			t.Errorf("%q is not in %q", note, out.Notes)
		}
	}
}

// TestTuneForesees: what tune says that rebuilt filters waste is what they waste then, as measured.
func TestTuneForesees(t *testing.T) {
	dir := orchard(t, 40_000, 8)
	before := tuneOf(t, dir, "tune -d DIR --probe 20k")
	if got, want := before.sum(t, "wasted_measured"), before.sum(t, "wasted_theory"); math.Abs(got-want) > 4*math.Sqrt(want/20_000)+0.05*want {
		t.Errorf("%g wasted reads measured, theory %g", got, want)
	}
	if _, stderr, code := run(t, dir, "rebuild-filters -d DIR --bits 8 --family ribbon"); code != ExitOK {
		t.Fatal(stderr)
	}
	after := tuneOf(t, dir, "tune -d DIR --probe 20k")
	foreseen := before.Curve[8-2]["ribbon_by_level"]
	if got := after.sum(t, "wasted_measured"); math.Abs(got-foreseen) > 4*math.Sqrt(foreseen/20_000)+0.05*foreseen {
		t.Errorf("%g wasted reads with ribbons, foreseen %g", got, foreseen)
	}
	if !after.says("No others would waste a tenth less") {
		t.Errorf("advice after it was taken: %q", after.Notes)
	}
}

// TestTuneOfRealLookups: tables that nobody misses give their memory to those that are missed, and the block cache is
// priced beside filters.
func TestTuneOfRealLookups(t *testing.T) {
	dir := orchard(t, 40_000, 8)
	var lines strings.Builder
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		fmt.Fprintf(&lines, "key%08d", random.IntN(10_000)) // of 40,000: in one of the tables
		if random.IntN(2) == 0 {
			lines.WriteString("x")
		}
		lines.WriteString("\n")
	}
	file := filepath.Join(t.TempDir(), "lookups.txt")
	if err := os.WriteFile(file, []byte(lines.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	out := tuneOf(t, dir, "tune -d DIR --probe "+file+" --cache 64KiB")
	if found := out.sum(t, "found"); found < 0.45 || found > 0.55 {
		t.Errorf("%g of the lookups found their key", found)
	}
	last := out.Curve[6-2]
	if adaptive, byLevel := last["ribbon_adaptive"], last["ribbon_by_level"]; adaptive > 0.8*byLevel {
		t.Errorf("lookups of one quarter of the keys: %g wasted reads adaptive, %g by level", adaptive, byLevel)
	}
	if saved := out.sum(t, "next_mib_of_cache_saves"); saved <= 0 || saved > 1 {
		t.Errorf("a MiB of cache saves %g reads for a lookup", saved)
	}
	if !out.says("The next MiB should go to the block cache.") { // it holds no tenth of the blocks that are read
		t.Errorf("advice: %q", out.Notes)
	}
	if out := tuneOf(t, dir, "tune -d DIR --probe "+file); out.sum(t, "next_mib_of_cache_saves") > 0.001 {
		t.Errorf("a cache that holds all has use for more: %q", out.Notes)
	}
}

// TestTuneWithoutFilters: the advice is to have some.
func TestTuneWithoutFilters(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a friend's $tore")
	makeStore(t, dir, &db.Options{Filter: bloom.None}, func(store *db.DB) {
		putMany(t, store, 5000, 1)
		flush(t, store)
	})
	out := tuneOf(t, dir, "tune -d DIR")
	word := "'" + strings.ReplaceAll(dir, "'", `'\''`) + "'"
	if !out.says("No filters are in memory: a lookup wastes 1 reads.") ||
		!out.says("siftdb rebuild-filters -d "+word+" --bits 10") {
		t.Errorf("advice: %q", out.Notes)
	}
}

// TestTuneTargetWithoutFilters: a target above what a store without filters wastes is not out of reach.
func TestTuneTargetWithoutFilters(t *testing.T) {
	out := tuneOf(t, orchard(t, 2_000, 8), "tune -d DIR --target 5")
	if out.says("No memory keeps") || !out.says("To waste at most 5 reads for a lookup takes no filters") {
		t.Errorf("advice: %q", out.Notes)
	}
}

// TestTuneProbeWithoutKeys: no lookups are nothing to give advice by.
func TestTuneProbeWithoutKeys(t *testing.T) {
	dir := fruit(t)
	for _, probe := range []string{"0", "-"} {
		stdout, stderr, code := runWith(t, "", dir, "tune", "-d", "DIR", "--probe", probe)
		if code != ExitError || stdout != "" || !strings.Contains(stderr, "--probe "+probe+": no keys to look up") {
			t.Errorf("--probe %s: exit code %d, %q, %s", probe, code, stdout, stderr)
		}
	}
}

func TestTuneForms(t *testing.T) {
	dir := fruit(t)
	for form, want := range map[string]string{
		"table": "bits/key  memory  as built, adaptive", "markdown": "| bits/key | memory | as built, adaptive |",
		"csv": "bits_per_key,memory_bytes,as_built_adaptive,blocked_uniform,", "json": `"curve": [`,
	} {
		if out := mustRun(t, dir, "tune -d DIR -o "+form); !strings.Contains(out, want) {
			t.Errorf("-o %s: %s", form, out)
		}
	}
	out := mustRun(t, dir, "tune -d DIR --plan uniform --bits 12 -o csv")
	if !strings.Contains(out, ",as_built_uniform,") {
		t.Errorf("--plan uniform: %s", out)
	}
	for line, want := range map[string]string{
		"tune -d DIR --bits 65":       "--bits is more than 0, up to 64",
		"tune -d DIR --target 0":      "--target is more than 0",
		"tune -d DIR --plan by-table": "it must be one of adaptive, by-level, uniform",
	} {
		if _, stderr, code := run(t, dir, line); code != ExitUsage || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d, %s", line, code, stderr)
		}
	}
	empty := filepath.Join(t.TempDir(), "empty")
	makeStore(t, empty, nil, func(*db.DB) {})
	if stdout, stderr, code := run(t, empty, "tune -d DIR"); code != ExitOK || stdout != "" ||
		!strings.HasPrefix(stderr, "no tables") {
		t.Errorf("an empty store: exit code %d, %q, %s", code, stdout, stderr)
	}
}
