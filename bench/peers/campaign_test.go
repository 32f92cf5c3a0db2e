package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"siftdb/bench/peers/compare"
	"siftdb/bench/peers/rows"
)

// TestMain is what this program is to a campaign in a test, too: its own worker.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "worker" {
		main()
		return
	}
	os.Exit(m.Run())
}

// phasesOfRun are all phases that a run has, by title.
var phasesOfRun = []string{
	"fill random", "overwrite random", "settle",
	"read absent, as loaded", "read present, as loaded", "read absent, as loaded, 2", "read present, as loaded, 2",
	"read zipfian present, as loaded", "compact",
	"read absent, compacted", "read present, compacted", "read absent, compacted, 2", "read present, compacted, 2",
	"read zipfian present, compacted", "seek + 10", "seek + 100", "full scan", "open, cold", "read absent, cold", "read present, cold",
	"read while writing", "write while reading", "YCSB A", "YCSB B", "YCSB C", "YCSB D", "YCSB E", "YCSB F",
	"fill sequential", "delete random", "batches of 100", "synced writes", "synced writes, 8",
}

// TestRunHasAllRows: a small run of each store gives each row, with what must be in it, and the page has all parts.
func TestRunHasAllRows(t *testing.T) {
	files := make([]rows.File, len(contestants))
	t.Run("stores", func(t *testing.T) {
		for i, c := range contestants {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				files[i] = smallRun(t, c)
				got := make([]string, len(files[i].Rows))
				for n, r := range files[i].Rows {
					got[n] = r.Phase
					if r.Threads > 1 {
						got[n] += ", " + string(rune('0'+r.Threads))
					}
					if r.Store != c.name || r.Ops == 0 || r.Seconds <= 0 {
						t.Errorf("%+v", r)
					}
				}
				if !slices.Equal(got, phasesOfRun) {
					t.Errorf("rows of\n%q\nnot\n%q", got, phasesOfRun)
				}
				checkCounters(t, files[i].Rows)
			})
		}
	})
	if t.Failed() {
		return
	}
	page, err := compare.Of(files)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := page.Write(&out); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"Speed", "Latency", "Processor", "Reads", "Allocations", "Resident memory", "Bytes on disk",
		"Write amplification"} {
		if !strings.Contains(out.String(), "\n## "+part+"\n") {
			t.Errorf("the page lacks %q", part)
		}
	}
}

// smallRun is a run of one store in this process, that leaves the system's file cache alone.
func smallRun(t *testing.T, c contestant) rows.File {
	campaign := campaignOf("run")
	campaign.stores, campaign.keys, campaign.repetitions = []string{c.name}, 2_000, 1
	header, err := campaign.header(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	j := campaign.jobs()[0]
	j.Dir = t.TempDir()
	w := &worker{job: j, contestant: c, settings: equalSettings, valueSize: valueSize, out: &out}
	w.dropCache = func() error { return nil }
	if err := rows.WriteHeader(&out, header); err != nil {
		t.Fatal(err)
	}
	if err := w.work(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "rows")
	if err := os.WriteFile(name, out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	file, err := rows.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// checkCounters checks what a row of writes must count.
func checkCounters(t *testing.T, all []rows.Row) {
	for _, r := range all {
		want := int64(0)
		switch r.Phase {
		case "fill random", "fill sequential", "batches of 100":
			want = 2_000 * (keySize + valueSize)
		case "overwrite random":
			want = 1_000 * (keySize + valueSize)
		case "delete random":
			want = 1_000 * keySize
		case "settle", "compact":
			if r.StoreBytes <= 0 {
				t.Errorf("%s: no bytes on disk", r.Phase)
			}
			continue
		default:
			continue
		}
		if r.GivenBytes != want {
			t.Errorf("%s: %d bytes given, not %d", r.Phase, r.GivenBytes, want)
		}
	}
}

// TestCampaign: stores take turns in processes of their own, and each point of growth has its rows.
func TestCampaign(t *testing.T) {
	c := campaignOf("growth")
	c.stores = []string{"siftdb", "bbolt"}
	c.keys = 500
	c.extent = extent{
		keys: []int{100, 200}, valueSizes: []int{16, 128}, dataBytes: 16 << 10, goroutines: []int{1, 2}, filterBits: []int{1, 24},
		others: 500,
	}
	name := filepath.Join(t.TempDir(), "rows")
	if err := c.measureTo(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	file, err := rows.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	count := make(map[string]int)
	for _, r := range file.Rows {
		count[r.Axis+" "+r.Store]++
	}
	for _, axis := range []string{axisKeys, axisValueSize, axisGoroutines, axisFilterBits} {
		for _, store := range c.stores {
			if n := count[axis+" "+store]; n != 8 { // two places, four operations
				t.Errorf("%d rows of %s of %s", n, axis, store)
			}
		}
	}
}

// TestTurns: none of the stores is always first.
func TestTurns(t *testing.T) {
	c := campaignOf("run")
	c.stores = []string{"a", "b", "c"}
	var order strings.Builder
	for _, j := range c.jobs() {
		order.WriteString(j.Contestant)
	}
	if order.String() != "abcbcacab" {
		t.Errorf("order %s", order.String())
	}
}

// TestFailedJob: what goes wrong with one store is told, and the next is measured all the same.
func TestFailedJob(t *testing.T) {
	c := campaignOf("growth")
	c.stores, c.axes = []string{"siftdb", "bbolt"}, []string{axisKeys}
	c.extent = extent{keys: []int{100}, goroutines: []int{1}, others: 100}
	c.dir = filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(c.dir, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err := c.measure(t.Context(), &out)
	for _, store := range c.stores {
		if err == nil || !strings.Contains(err.Error(), store) {
			t.Errorf("%v does not tell of %s", err, store)
		}
	}
}

// TestWhatCannotBeMeasured: a command that could measure nothing says why before it begins.
func TestWhatCannotBeMeasured(t *testing.T) {
	for _, args := range [][]string{
		{"run", "-n", "0"}, {"run", "-n", "2000", "extra"}, {"run", "-repetitions", "0"}, {"run", "-stores", "nosuch"},
		{"growth", "-axes", "foo"}, {"publish", "extra"}, {"nosuch"}, {},
	} {
		out := filepath.Join(t.TempDir(), "rows.jsonl")
		if len(args) > 1 && args[0] != "publish" {
			args = slices.Insert(slices.Clone(args), 1, "-out", out)
		}
		if err := run(t.Context(), args); err == nil {
			t.Errorf("%q: no error", args)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%q: there is a file of rows", args)
		}
	}
}
