package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"siftdb/bench"
	"siftdb/bench/report"
)

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
lookup needs is seen as a disk read.

A scenario brings settings of its own, and what it plays is told in the report; flags
change them:

` + scenarioList() + `
--live changes the bits per key of one store while it is being looked up in, and says how
long that took and what it wrote and read.`,
		Example: `  siftdb bench --quick
  siftdb bench --quick --scenario elastic
  siftdb bench --layout overlap --tables 100 --bits off,10 --device-latency 1ms
  siftdb bench --keys names.tsv.gz --absent others.txt.gz --bits off,8,10,16 -o json`,
		Args: arguments,
		RunE: f.run,
	}
	f.define(c)
	addOutputFlag(c, &f.format)
	return c
}

func (f *benchFlags) run(c *cobra.Command, _ []string) error {
	config, err := f.read(c)
	if err != nil {
		return usageError(c, err.Error())
	}
	if f.out != "" {
		if err := makeWritable(f.out); err != nil {
			return fmt.Errorf("siftdb: bench: --out: %w", err)
		}
	}
	config.CommandLine = commandLine()
	config.Progress = bench.NewProgress(c.ErrOrStderr())
	result, runErr := f.measure(c.Context(), config)
	if result == nil || (runErr != nil && len(result.Rows)+len(result.Live) == 0) {
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
		done := len(result.Rows) + len(result.Live)
		errs = append(errs, fmt.Errorf("siftdb: bench: %w: %d of %d rows were done",
			context.Canceled, done, config.NumRows()))
	}
	return errors.Join(errs...)
}

// measure runs the bench, profiled if that is asked for.
func (f *benchFlags) measure(ctx context.Context, config bench.Config) (*bench.Result, error) {
	if f.profile == "" {
		return bench.Run(ctx, config)
	}
	stop, err := bench.Profile(f.profile)
	if err != nil {
		return nil, err
	}
	result, err := bench.Run(ctx, config)
	return result, errors.Join(err, stop())
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
