package cmd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"siftdb/bench"
	"siftdb/bench/report"
)

// benchFlags are the flags of bench as they were given. Those that were not given leave a run's preset as it is.
type benchFlags struct {
	quick  bool
	format outputFormat
	out    string

	keys, valueSize, tables, levels, ratio, ranges, warmup, lookups count
	cache                                                           byteSize
	bits, plans, families, layout, traffic                          string
	config                                                          bench.Config // the flags that need no reading
}

func newBenchCommand() *cobra.Command {
	f := &benchFlags{}
	c := &cobra.Command{
		Use:   "bench",
		Short: "Measure what filters save, by bits per key",
		Long: `Make a store for each setting of bits per key, look up keys that are there and keys
that are not, and print disk reads, skipped reads and times beside what theory says;
then look the same keys up with filters on and off, on the same files, taking turns.

Absent keys lie between present ones. Absent and present lookups are never mixed, and
every answer is checked. Disk reads are reads of table files that reached the file
system. There is no block cache unless --cache is given, so that each block that a
lookup needs is seen as a disk read.`,
		Example: `  siftdb bench --quick
  siftdb bench --layout overlap --tables 100 --bits off,10 --device-latency 1ms
  siftdb bench --keys names.tsv.gz --absent others.txt.gz --bits off,8,10,16 -o json`,
		Args: args(cobra.NoArgs),
		RunE: f.run,
	}
	f.define(c.Flags())
	addOutputFlag(c, &f.format)
	return c
}

func (f *benchFlags) define(flags *pflag.FlagSet) {
	d := bench.Default()
	f.keys, f.valueSize, f.lookups = count(d.Keys), count(d.ValueSize), 0
	f.ranges, f.warmup = count(d.Ranges), count(d.Warmup)
	f.tables, f.levels, f.ratio = count(d.Tables), count(d.Levels), count(d.Ratio)
	flags.BoolVar(&f.quick, "quick", false, "a smaller run, under 30 seconds")
	flags.Var(&f.keys, "n", "keys to make")
	flags.Var(&f.valueSize, "value-size", "bytes of each made value")
	flags.StringVar(&f.bits, "bits", "off,2,4,6,8,10,12,14,16,20", "bits per key, a row each")
	flags.StringVar(&f.plans, "plan", "by-level", "how filters share memory, a row each: uniform, by-level, adaptive")
	flags.StringVar(&f.families, "family", "recommended", "filter families, a row each: "+strings.Join(bench.FamilyNames(), ", "))
	flags.StringVar(&f.config.KeyFile, "keys", "", "read keys from `FILE`, one a line, alone or before a tab and a value; .gz too")
	flags.StringVar(&f.config.AbsentFile, "absent", "", "read absent keys from `FILE`, one a line; .gz too")
	flags.StringVar(&f.layout, "layout", string(d.Layout), "leveled as in daily use; overlap: --tables tables over each other; levels: --levels full ones, each --ratio times the one above")
	flags.Var(&f.tables, "tables", "tables of the overlap layout")
	flags.Var(&f.levels, "levels", "levels of the levels layout")
	flags.Var(&f.ratio, "ratio", "size of a level of the levels layout over that of the one above")
	flags.StringVar(&f.traffic, "traffic", string(d.Traffic), "uniform; zipf: of --ranges ranges of keys the last are looked up much more than others; zipf-scattered: some here and there")
	flags.Var(&f.ranges, "ranges", "ranges of keys that zipf traffic tells apart")
	flags.Var(&f.warmup, "warmup", "lookups before those that count; what the adaptive plan goes by")
	flags.Float64Var(&f.config.Hits, "hits", 0, "share of lookups that find their key, the kinds taking turns, such as 0.9; 0: one kind after the other")
	flags.Var(&f.lookups, "lookups", "absent and present lookups a row; 0: chosen from the settings")
	flags.Var(&f.cache, "cache", "block cache, such as 64MiB")
	flags.DurationVar(&f.config.DeviceLatency, "device-latency", 0, "added to each read of a table file in lookups, such as 1ms")
	flags.BoolVar(&f.config.Cold, "cold", false, "drop the system's cache of the files before each phase (Linux)")
	flags.Uint64Var(&f.config.Seed, "seed", d.Seed, "decides keys, values and orders")
	flags.StringVar(&f.config.Dir, "dir", "", "make the stores in `DIR` and leave them there (default a temporary one)")
	flags.StringVar(&f.out, "out", "", "also write report.html with its pictures, results.json, results.csv and bench.txt into `DIR`")
}

// preset is the run that the flags ask for.
func (f *benchFlags) preset(flags *pflag.FlagSet) (bench.Config, error) {
	c := bench.Default()
	if f.quick {
		c = bench.Quick()
	}
	if flags.Changed("n") {
		c.Keys = int(f.keys)
	}
	c.ValueSize, c.Tables, c.Lookups = int(f.valueSize), int(f.tables), int(f.lookups)
	c.Levels, c.Ratio = int(f.levels), int(f.ratio)
	c.CacheSize = int64(f.cache)
	c.KeyFile, c.AbsentFile = f.config.KeyFile, f.config.AbsentFile
	c.DeviceLatency, c.Cold = f.config.DeviceLatency, f.config.Cold
	c.Seed, c.Dir = f.config.Seed, f.config.Dir
	c.Ranges, c.Warmup, c.Hits = int(f.ranges), int(f.warmup), f.config.Hits
	var bits, plans, families, layout, traffic error
	c.Bits, bits = bench.ParseBits(f.bits)
	c.Plans, plans = bench.ParsePlans(f.plans)
	c.Families, families = bench.ParseFamilies(f.families)
	c.Layout, layout = bench.ParseLayout(f.layout)
	c.Traffic, traffic = bench.ParseTraffic(f.traffic)
	if err := errors.Join(bits, plans, families, layout, traffic); err != nil {
		return c, err
	}
	return c, c.Validate()
}

func (f *benchFlags) run(c *cobra.Command, _ []string) error {
	config, err := f.preset(c.Flags())
	if err != nil {
		return usageError(c, err.Error())
	}
	config.CommandLine = commandLine()
	config.Progress = bench.NewProgress(c.ErrOrStderr())
	result, runErr := bench.Run(c.Context(), config)
	if result == nil || (runErr != nil && len(result.Rows) == 0) {
		return runErr
	}
	errs := []error{runErr, f.write(result, c.OutOrStdout())}
	if f.out != "" {
		errs = append(errs, result.WriteFiles(f.out), report.WriteFiles(f.out, result))
	}
	if f.format == outputCSV { // the only form without a place for warnings
		for _, w := range result.Warnings {
			fmt.Fprintln(c.ErrOrStderr(), "warning:", w)
		}
	}
	if result.Interrupted {
		fmt.Fprintf(c.ErrOrStderr(), "interrupted: %d of %d rows were done\n", len(result.Rows), config.NumRows())
	}
	return errors.Join(errs...)
}

// commandLine is what was typed, the program by its name alone: a report says how to repeat a run, not where the
// program lay.
func commandLine() []string {
	line := slices.Clone(os.Args)
	if len(line) > 0 {
		line[0] = filepath.Base(line[0])
	}
	return line
}

// write writes the result in the form asked for.
func (f *benchFlags) write(r *bench.Result, w io.Writer) error {
	switch f.format {
	case outputJSON:
		return r.WriteJSON(w)
	case outputCSV:
		return r.WriteCSV(w)
	case outputMarkdown:
		return report.WriteMarkdown(w, r)
	}
	return report.WriteTable(w, r)
}
