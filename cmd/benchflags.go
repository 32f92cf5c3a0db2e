package cmd

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"siftdb/bench"
)

// benchFlags are the flags of bench as they were given. Those that were not given leave a run's preset as it is.
type benchFlags struct {
	quick, cold bool
	scenario    string
	format      outputFormat
	out         string
	profile     string
	changes     []func(*bench.Config) error // by the others, in the order given
}

// define gives c the flags. What is shown as their default is that of a run without a scenario.
func (f *benchFlags) define(c *cobra.Command) {
	d := bench.Default()
	flags := c.Flags()
	flags.BoolVar(&f.quick, "quick", false, "a smaller run, under 30 seconds")
	flags.StringVar(&f.scenario, "scenario", "", "play one of "+strings.Join(bench.ScenarioNames(), ", "))
	fixedWords(c, "scenario", bench.ScenarioNames())

	f.number(c, "n", d.Keys, "keys to make", func(c *bench.Config, n int) { c.Keys = n })
	f.text(c, "key-form", "form", string(d.KeyForm), "how made keys look: "+strings.Join(bench.KeyFormNames(), ", "),
		func(c *bench.Config, word string) (err error) { c.KeyForm, err = bench.ParseKeyForm(word); return })
	f.number(c, "value-size", d.ValueSize, "bytes of each made value", func(c *bench.Config, n int) { c.ValueSize = n })
	f.text(c, "keys", "FILE", "", "read keys from FILE, one a line, alone or before a tab and a value; .gz too",
		func(c *bench.Config, word string) error { c.KeyFile = word; return nil })
	f.text(c, "absent", "FILE", "", "read absent keys from FILE, one a line; .gz too",
		func(c *bench.Config, word string) error { c.AbsentFile = word; return nil })

	f.text(c, "bits", "list", "off,2,4,6,8,10,12,14,16,20", "bits per key, a row each",
		func(c *bench.Config, list string) (err error) { c.Bits, err = bench.ParseBits(list); return })
	f.text(c, "plan", "list", "by-level", "how filters share memory, a row each: uniform, by-level, adaptive",
		func(c *bench.Config, list string) (err error) { c.Plans, err = bench.ParsePlans(list); return })
	f.text(c, "family", "list", "recommended", "filter families, a row each: "+strings.Join(bench.FamilyNames(), ", "),
		func(c *bench.Config, list string) (err error) { c.Families, err = bench.ParseFamilies(list); return })
	f.text(c, "live", "list", "", "change bits per key on one store, under lookups, instead of rows",
		func(c *bench.Config, list string) (err error) { c.Live, err = bench.ParseBits(list); return })
	flags.Lookup("live").NoOptDefVal = "10,6,12"

	f.text(c, "layout", "layout", string(d.Layout),
		"leveled as in daily use, lazy-leveled under the other style of compaction; overlap: --tables tables over "+
			"each other; levels: --levels full ones, each --ratio times the one above",
		func(c *bench.Config, word string) (err error) { c.Layout, err = bench.ParseLayout(word); return })
	f.number(c, "tables", d.Tables, "tables of the overlap layout", func(c *bench.Config, n int) { c.Tables = n })
	f.number(c, "levels", d.Levels, "levels of the levels layout", func(c *bench.Config, n int) { c.Levels = n })
	f.number(c, "ratio", d.Ratio, "size of a level of the levels layout over that of the one above",
		func(c *bench.Config, n int) { c.Ratio = n })

	f.text(c, "traffic", "traffic", string(d.Traffic),
		"uniform; zipf: of --ranges ranges of keys the last are looked up much more than others; "+
			"zipf-scattered: some here and there",
		func(c *bench.Config, word string) (err error) { c.Traffic, err = bench.ParseTraffic(word); return })
	f.number(c, "ranges", d.Ranges, "ranges of keys that zipf traffic tells apart",
		func(c *bench.Config, n int) { c.Ranges = n })
	f.text(c, "hits", "share", "0",
		"share of lookups that find their key, the kinds taking turns, such as 0.9; 0: one kind after the other",
		setHits)
	f.number(c, "warmup", d.Warmup, "lookups before those that count; what the adaptive plan goes by",
		func(c *bench.Config, n int) { c.Warmup = n })
	f.number(c, "lookups", d.Lookups, "absent and present lookups a row; 0: chosen from the settings",
		func(c *bench.Config, n int) { c.Lookups = n })

	f.text(c, "cache", "bytes", "none", "block cache, such as 64MiB", setCache)
	f.text(c, "device-latency", "duration", "0s", "added to each read of a table file in lookups, such as 1ms",
		func(c *bench.Config, word string) (err error) {
			c.DeviceLatency, err = time.ParseDuration(word)
			return
		})
	flags.BoolVar(&f.cold, "cold", false, "drop the system's cache of the files before each phase (Linux)")
	f.text(c, "seed", "number", strconv.FormatUint(d.Seed, 10), "decides keys, values and orders", setSeed)
	f.text(c, "dir", "DIR", "", "make the stores in DIR and leave them there (default a temporary one)",
		func(c *bench.Config, word string) error { c.Dir = word; return nil })
	flags.StringVar(&f.out, "out", "",
		"also write report.html with its pictures, results.json, results.csv and bench.txt into `DIR`")
	flags.StringVar(&f.profile, "profile", "",
		"also write cpu.pprof, allocs.pprof, block.pprof and mutex.pprof into `DIR`")
}

func setSeed(c *bench.Config, word string) error {
	seed, err := strconv.ParseUint(word, 0, 64)
	if err != nil {
		return fmt.Errorf("%q is no whole number from 0 to 2^64 - 1", word)
	}
	c.Seed = seed
	return nil
}

func setHits(c *bench.Config, word string) error {
	hits, err := strconv.ParseFloat(word, 64)
	if err != nil {
		return fmt.Errorf("%q is no share, such as 0.9", word)
	}
	c.Hits = hits
	return nil
}

func setCache(c *bench.Config, word string) error {
	var size byteSize
	err := size.Set(word)
	c.CacheSize = int64(size)
	return err
}

// text defines a flag that changes the run.
func (f *benchFlags) text(
	c *cobra.Command, name, kind, usual, usage string, set func(c *bench.Config, word string) error,
) {
	c.Flags().Var(&runFlag{flags: f, word: usual, kind: kind, set: set}, name, usage)
}

// number is text for a whole number.
func (f *benchFlags) number(c *cobra.Command, name string, usual int, usage string, set func(c *bench.Config, n int)) {
	f.text(c, name, "count", strconv.Itoa(usual), usage, func(c *bench.Config, word string) error {
		var n count
		err := n.Set(word)
		set(c, int(n))
		return err
	})
}

// runFlag is a flag that changes the run.
type runFlag struct {
	flags *benchFlags
	word  string
	kind  string // for help
	set   func(c *bench.Config, word string) error
}

func (r *runFlag) String() string { return r.word }

// Set notes the change, if word can be read.
func (r *runFlag) Set(word string) error {
	if err := r.set(&bench.Config{}, word); err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "siftdb: bench: "))
	}
	r.word = word
	r.flags.changes = append(r.flags.changes, func(c *bench.Config) error { return r.set(c, word) })
	return nil
}

// Type is how help names the flag's values.
func (r *runFlag) Type() string { return r.kind }

// read is the run that c's flags ask for.
func (f *benchFlags) read(c *cobra.Command) (bench.Config, error) {
	var asked bench.Config
	if err := f.change(&asked); err != nil {
		return asked, err
	}
	run, err := f.preset(asked.Layout)
	if err != nil {
		return run, err
	}
	run.Cold = f.cold
	return run, errors.Join(f.change(&run), run.Validate(), unheeded(c.Flags().Changed, &run))
}

// unheeded refuses flags of what a run does not have: nobody would be told otherwise that they changed nothing. A run's
// own Validate cannot, for it does not know what was given and what is there without being asked for.
func unheeded(given func(flag string) bool, run *bench.Config) error {
	for _, f := range []struct {
		name   string
		heeded bool
		where  string
	}{
		{"n", run.KeyFile == "", "without --keys"},
		{"key-form", run.KeyFile == "", "without --keys"},
		{"bits", len(run.Live) == 0, "without --live"},
		{"tables", run.Layout == bench.Overlap, "with --layout overlap"},
		{"levels", run.Layout == bench.Levels, "with --layout levels"},
		{"ratio", run.Layout == bench.Levels, "with --layout levels"},
		{"ranges", run.Traffic != bench.EvenTraffic, "with --traffic zipf or zipf-scattered"},
		{"hits", len(run.Live) == 0, "without --live"},
		{"warmup", len(run.Live) == 0, "without --live"},
		{"device-latency", len(run.Live) == 0, "without --live"},
	} {
		if given(f.name) && !f.heeded {
			return fmt.Errorf("siftdb: bench: --%s means something %s only", f.name, f.where)
		}
	}
	return nil
}

func (f *benchFlags) change(c *bench.Config) error {
	for _, change := range f.changes {
		if err := change(c); err != nil {
			return err
		}
	}
	return nil
}

// preset is what the flags change.
func (f *benchFlags) preset(layout bench.Layout) (bench.Config, error) {
	switch {
	case f.scenario != "" && f.quick:
		return bench.QuickScenario(f.scenario)
	case f.scenario != "":
		return bench.NewScenario(f.scenario)
	case layout == bench.Levels && f.quick:
		return bench.QuickLevels(), nil
	case layout == bench.Levels:
		return bench.FullLevels(), nil
	case f.quick:
		return bench.Quick(), nil
	}
	return bench.Default(), nil
}

// scenarioList is the scenarios for help, one a line.
func scenarioList() string {
	var b strings.Builder
	for _, s := range bench.Scenarios() {
		fmt.Fprintf(&b, "  %-13s %s\n", s.Name, s.Title)
	}
	return b.String()
}

// fixedWords completes a flag's values.
func fixedWords(c *cobra.Command, flag string, words []string) {
	// The only error is a flag that is not there.
	_ = c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}
