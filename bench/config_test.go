package bench

import (
	"strings"
	"testing"
	"time"
)

func TestPresetsAreValid(t *testing.T) {
	presets := map[string]Config{"default": Default(), "quick": Quick(), "levels": FullLevels(), "quick levels": QuickLevels()}
	for _, name := range ScenarioNames() {
		whole, err := NewScenario(name)
		if err != nil {
			t.Fatal(err)
		}
		quick, err := QuickScenario(name)
		if err != nil || quick.Keys >= whole.Keys {
			t.Fatalf("%s: %v, %d keys, quick %d", name, err, whole.Keys, quick.Keys)
		}
		presets[name], presets["quick "+name] = whole, quick
	}
	for name, c := range presets {
		if err := c.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestScenariosAreNamed(t *testing.T) {
	if _, err := NewScenario("rain"); err == nil || !strings.Contains(err.Error(), "signup") {
		t.Errorf("error %v, want one that names the scenarios", err)
	}
	for _, s := range Scenarios() {
		if len(s.Text) < 100 || strings.Contains(s.Text, "\n") {
			t.Errorf("%s: no paragraph: %q", s.Name, s.Text)
		}
	}
}

// TestYoungTablesAreLeft: a scenario in daily use is read with tables in level 0.
func TestYoungTablesAreLeft(t *testing.T) {
	c := tinyLeveled()
	c.KeyForm, c.Bits, c.Rounds = EmailKeys, []Bits{10}, 0
	c.leaveYoungTables()
	if levels := mustRun(t, c).Rows[0].Levels; levels[0].Level != 0 || levels[0].Tables != youngTables {
		t.Errorf("levels %+v, want %d tables in level 0", levels, youngTables)
	}
}

func TestValidateNamesAllFaults(t *testing.T) {
	c := Default()
	c.Keys, c.ValueSize, c.Layout, c.AbsentFile, c.Bits = 1, -1, "heap", "absent.txt", nil
	c.DeviceLatency = -time.Second
	err := c.Validate()
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"1 keys", "value size is negative", `"heap"`, "needs a file of present keys", "no rows",
		"device latency"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in: %v", want, err)
		}
	}
}

func TestOverlapNeedsKeysForItsTables(t *testing.T) {
	c := Default()
	c.Layout, c.Tables, c.Keys = Overlap, 100, 399
	if c.Validate() == nil {
		t.Error("399 keys for 100 tables are taken")
	}
	c.Keys = 400
	if err := c.Validate(); err != nil {
		t.Error(err)
	}
}

func TestLookupsComeFromSettings(t *testing.T) {
	c := Default()
	c.Layout, c.Tables, c.DeviceLatency = Overlap, 100, time.Millisecond
	of := func(n int) kind { return kind{n: n, most: n} }
	if got := c.phaseLookups(Off, of(1e6)); got != minLookups {
		t.Errorf("absent lookups of 100 ms each: %d, want %d", got, minLookups)
	}
	if on, off := c.phaseLookups(10, of(1e6)), c.phaseLookups(Off, of(1e6)); on < 10*off {
		t.Errorf("%d lookups with filters, %d without: too few for the time", on, off)
	}
	if got := c.phaseLookups(10, of(7)); got != 7 {
		t.Errorf("%d lookups of 7 keys", got)
	}
	c.Lookups = 123
	if got := c.phaseLookups(Off, of(1e6)); got != 123 {
		t.Errorf("%d lookups where 123 are asked for", got)
	}
	c.Lookups, c.KeyFile = 0, "keys.txt"
	if got := c.phaseLookups(Off, of(1e6)); got != 1e6 {
		t.Errorf("%d lookups of a file's 1000000 keys", got)
	}
	if got := c.roundLookups(10, of(20)); got*c.Rounds > 20 {
		t.Errorf("%d rounds of %d lookups of 20 keys", c.Rounds, got)
	}
	c.Hits = 0.9
	if got := c.mixedLookups(10, of(1e6), of(90)); got != 100 {
		t.Errorf("%d lookups in turns, where 90 present keys are 90 %% of them", got)
	}
}
