package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"siftdb/db"
)

// tiny is a run of the overlap layout that takes no time.
func tiny() Config {
	c := Default()
	c.Keys, c.ValueSize = 3000, 20
	c.Layout, c.Tables = Overlap, 6
	c.Bits = []Bits{Off, 10}
	c.Lookups, c.Rounds = 1500, 2
	return c
}

func mustRun(t *testing.T, c Config) *Result {
	t.Helper()
	r, err := Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Rows) != len(c.settings()) || r.Interrupted {
		t.Fatalf("%d rows of %d, interrupted %v", len(r.Rows), len(c.settings()), r.Interrupted)
	}
	return r
}

func TestOverlapCounts(t *testing.T) {
	c := tiny()
	r := mustRun(t, c)
	checkCounters(t, r)
	off, on := &r.Rows[0], &r.Rows[1]
	lookups, all := int64(c.Lookups), int64(c.Lookups*c.Tables)
	if off.Build.Tables != c.Tables || on.Build.Tables != c.Tables {
		t.Errorf("%d and %d tables, want %d", off.Build.Tables, on.Build.Tables, c.Tables)
	}
	if a := &off.Absent; a.DiskReads != all || a.TablesChecked != all || a.ReadsSkipped != 0 || a.FilterChecks != 0 {
		t.Errorf("filters off, absent keys: %+v; want %d reads, none skipped", a, all)
	}
	if a := &on.Absent; a.DiskReads != a.FalsePasses || a.ReadsSkipped != all-a.FalsePasses {
		t.Errorf("filters on, absent keys: %+v; want reads for false passes only", a)
	}
	if p := &on.Present; p.TruePasses != lookups || p.DiskReads != lookups+p.FalsePasses {
		t.Errorf("filters on, present keys: %+v; want a read for each key and each false pass", p)
	}
	if off.Present.DiskReads < 3*on.Present.DiskReads {
		t.Errorf("present keys: %d reads with filters off, %d with filters on", off.Present.DiskReads, on.Present.DiskReads)
	}
	f := &on.Filter
	if f.Expected < 0.005 || f.Expected > 0.02 || f.OutsideTheory || f.MeasuredLow > f.Measured || f.MeasuredHigh < f.Measured {
		t.Errorf("10 bits: %+v", f)
	}
	if f.Bytes < int64(c.Keys)*10/8 || f.BitsPerKey < 10 || f.BitsPerKey > 12 {
		t.Errorf("10 bits: %d bytes, %.2f bits per key for %d keys", f.Bytes, f.BitsPerKey, c.Keys)
	}
	if r.ProcessTableReads < off.Absent.DiskReads+on.Absent.DiskReads+off.Present.DiskReads+on.Present.DiskReads {
		t.Errorf("%d reads in the whole run are fewer than those of the phases", r.ProcessTableReads)
	}
}

// TestSameFilesComparison: the same keys on the same files cost the filters' work, no more and no less.
func TestSameFilesComparison(t *testing.T) {
	r := mustRun(t, tiny())
	if r.Rows[0].Compared != nil {
		t.Error("the row without filters has a comparison")
	}
	got := r.Rows[1].Compared
	a := &got.Absent
	if a.On.Lookups == 0 || a.On.Lookups != a.Off.Lookups {
		t.Fatalf("%d lookups with filters on, %d with filters off", a.On.Lookups, a.Off.Lookups)
	}
	if a.Off.DiskReads != a.On.DiskReads+a.On.ReadsSkipped || a.Off.FilterChecks != 0 ||
		a.Off.TablesChecked != a.On.TablesChecked {
		t.Errorf("absent keys: on %+v, off %+v", a.On, a.Off)
	}
	p := &got.Present
	if p.Off.DiskReads != p.On.DiskReads+p.On.ReadsSkipped || p.ReadsRatio == nil || *p.ReadsRatio <= 1 {
		t.Errorf("present keys: on %+v, off %+v, ratio %v", p.On, p.Off, p.ReadsRatio)
	}
}

// checkCounters checks what holds in every run: each filter check has one outcome, and without a cache each table that
// was asked cost one read.
func checkCounters(t *testing.T, r *Result) {
	t.Helper()
	for _, row := range r.Rows {
		phases := map[string]*Phase{"absent": &row.Absent, "present": &row.Present}
		if row.Compared != nil {
			phases["absent on"], phases["absent off"] = &row.Compared.Absent.On, &row.Compared.Absent.Off
			phases["present on"], phases["present off"] = &row.Compared.Present.On, &row.Compared.Present.Off
		}
		for name, p := range phases {
			where := fmt.Sprintf("bits %s, %s: %+v", row.Bits, name, p)
			if p.FilterChecks != p.ReadsSkipped+p.TruePasses+p.FalsePasses {
				t.Errorf("%s: checks are not skips and passes", where)
			}
			if p.DiskReads != p.TablesChecked-p.ReadsSkipped {
				t.Errorf("%s: reads are not the tables left after skipping", where)
			}
			if p.TableOpens != 0 {
				t.Errorf("%s: tables were opened", where)
			}
			if p.Latency.P50 > p.Latency.P99 || p.Latency.P99 > p.Latency.P999 || p.Latency.P999 > p.Latency.Max {
				t.Errorf("%s: times do not ascend", where)
			}
		}
	}
}

// tinyLeveled is tiny with tables in several levels.
func tinyLeveled() Config {
	c := tiny()
	c.Layout = Leveled
	c.Keys, c.MemTableSize, c.TableSize = 1200, 16<<10, 16<<10
	c.Bits = []Bits{Off, 10}
	c.Lookups = 1000
	return c
}

// TestSameSeedSameCounts: times may differ between runs, counts may not.
func TestSameSeedSameCounts(t *testing.T) {
	timeless := cmp.Options{
		cmpopts.IgnoreFields(Phase{}, "Latency"),
		cmpopts.IgnoreFields(OnOff{}, "SpeedRatio", "SpeedLow", "SpeedHigh"),
		cmpopts.IgnoreFields(Build{}, "Elapsed", "Stalled"),
		cmpopts.IgnoreFields(Header{}, "Date"),
		cmpopts.IgnoreFields(Result{}, "Warnings"), // some are about times
		cmpopts.EquateApprox(1e-12, 0),             // tables' rates are added up in any order
	}
	levels := tinyLevels()
	levels.Families, levels.Lookups, levels.Rounds = []Family{Ribbon}, 2000, 0
	// Whether a table's planes were loaded before it was replaced by one with other filters is a matter of time.
	rebuilt := cmp.Options{
		timeless, cmpopts.IgnoreFields(Build{}, "TableReads"), cmpopts.IgnoreFields(Result{}, "ProcessTableReads"),
	}
	lazy := tinyLeveled()
	lazy.Layout = LazyLeveled
	for name, c := range map[string]Config{"overlap": tiny(), "leveled": tinyLeveled(), "lazy-leveled": lazy,
		"levels": levels} {
		a, b := mustRun(t, c), mustRun(t, c)
		same := timeless
		if c.Layout == Levels {
			same = rebuilt
		}
		if diff := cmp.Diff(a, b, same); diff != "" {
			t.Errorf("%s: two runs differ (-first +second):\n%s", name, diff)
		}
		if testing.Short() || name != "overlap" {
			continue
		}
		c.Seed = 2
		if other := mustRun(t, c); cmp.Equal(a.Rows, other.Rows, timeless) {
			t.Errorf("%s: another seed gives the same counts", name)
		}
	}
}

func TestLeveledRun(t *testing.T) {
	c := tinyLeveled()
	r := mustRun(t, c)
	checkCounters(t, r)
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Absent.Lookups != int64(c.Lookups) || row.Build.Tables < 3 || len(row.Levels) < 2 {
			t.Errorf("bits %s: %+v", row.Bits, row)
		}
		if row.Filter.OutsideTheory {
			t.Errorf("bits %s: rate outside theory: %+v", row.Bits, row.Filter)
		}
		// Absent keys lie between present ones, so a table is asked, but for the gaps between tables of a level.
		if row.Absent.TablesChecked+int64(row.Build.Tables) < row.Absent.Lookups {
			t.Errorf("bits %s: %d tables checked for %d absent keys", row.Bits, row.Absent.TablesChecked, row.Absent.Lookups)
		}
	}
}

// TestLazyLeveledRun: the same keys under the other style lie in other tables, and are answered all the same.
func TestLazyLeveledRun(t *testing.T) {
	c := tinyLeveled()
	c.Keys = 6000
	leveled := mustRun(t, c)
	c.Layout = LazyLeveled
	lazy := mustRun(t, c)
	checkCounters(t, lazy)
	a, b := &leveled.Rows[0], &lazy.Rows[0]
	if b.Absent.Lookups != a.Absent.Lookups || b.Build.Keys != c.Keys || lazy.Settings.Layout != LazyLeveled {
		t.Errorf("%+v", b)
	}
	if a.Build.Tables == b.Build.Tables && a.Absent.TablesChecked == b.Absent.TablesChecked {
		t.Errorf("both styles have %d tables, of which lookups ask %d", a.Build.Tables, a.Absent.TablesChecked)
	}
}

func TestRunWithKeyFilesLooksUpEveryKey(t *testing.T) {
	var present, absent strings.Builder
	for i := range 700 {
		fmt.Fprintf(&present, "package-%04d\tversion %d\n", i*2, i)
		fmt.Fprintf(&absent, "package-%04d\n", i*2+1)
	}
	c := tiny()
	c.Lookups = 0
	c.KeyFile, c.AbsentFile = writeKeys(t, "present.tsv.gz", present.String()), writeKeys(t, "absent.txt", absent.String())
	for _, row := range mustRun(t, c).Rows {
		if row.Absent.Lookups != 700 || row.Present.Lookups != 700 || row.Build.Keys != 700 {
			t.Errorf("bits %s: %d absent and %d present lookups, %d keys put, of 700 each",
				row.Bits, row.Absent.Lookups, row.Present.Lookups, row.Build.Keys)
		}
	}
}

// ender cancels a run when a phase begins.
type ender struct {
	silent
	phase  string
	cancel func()
}

func (e *ender) Begin(phase string, _ int) {
	if phase == e.phase {
		e.cancel()
	}
}

func TestInterruptedRunKeepsWholeRows(t *testing.T) {
	for _, phase := range []string{"bits 10, load", "bits 10, absent keys", "bits 10, present keys, filters on and off"} {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		c := tiny()
		c.Progress = &ender{phase: phase, cancel: cancel}
		r, err := Run(ctx, c)
		if err != nil {
			t.Fatalf("%s: %v", phase, err)
		}
		if !r.Interrupted || len(r.Rows) != 1 || r.Rows[0].Bits != Off {
			t.Errorf("%s: interrupted %v, rows %+v", phase, r.Interrupted, r.Rows)
		}
	}
}

func TestStoresStayOrGo(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	c := tiny()
	mustRun(t, c)
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	c.Dir = filepath.Join(t.TempDir(), "stores")
	mustRun(t, c)
	store, err := db.Open(filepath.Join(c.Dir, "bits-10"), &db.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Error(err)
	}
	if _, err := Run(context.Background(), c); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("a second run in the same directory: %v", err)
	}
}

// liar is a workload whose answers are wrong: some of its absent keys are there, or values are others than were put.
type liar struct {
	Workload
	absent func(dst []byte, i int) []byte
	value  func(dst []byte, i int) []byte
}

func (l *liar) AppendAbsent(dst []byte, i int) []byte { return l.absent(dst, i) }
func (l *liar) AppendValue(dst []byte, i int) []byte  { return l.value(dst, i) }

func TestWrongAnswersEndTheRun(t *testing.T) {
	c := tiny()
	w, err := newWorkload(&c)
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	for want, l := range map[string]*liar{
		"an absent key was found": {w, w.AppendKey, w.AppendValue},
		"not the one that was put": {w, w.AppendAbsent, func(dst []byte, i int) []byte {
			if calls++; calls > c.Keys { // all are put by then
				return append(dst, "another"...)
			}
			return w.AppendValue(dst, i)
		}},
	} {
		r := &run{config: &c, workload: l, dir: t.TempDir(), progress: silent{}, result: &Result{}}
		if err := r.all(context.Background()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

func TestWarmOpensEveryTable(t *testing.T) {
	c := tiny()
	w, err := newWorkload(&c)
	if err != nil {
		t.Fatal(err)
	}
	s, err := openStore(rowOptions(&c, w, Setting{10, usualPlan, Recommended}), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx := context.Background()
	if _, err := load(ctx, s, w, &c, "", silent{}); err != nil {
		t.Fatal(err)
	}
	if err := s.warm(ctx); err != nil {
		t.Fatal(err)
	}
	for table := range s.Tables() {
		if !table.Open {
			t.Errorf("%s is not open", table.File)
		}
	}
}
