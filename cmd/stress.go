package cmd

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"siftdb/internal/stress"
)

// stressFlags are the flags of stress.
type stressFlags struct {
	dir      string
	duration time.Duration
	seed     uint64
	format   outputFormat
}

// toldEvery is how often stress says how far it is.
const toldEvery = 10 * time.Second

func newStressCommand() *cobra.Command {
	f := &stressFlags{}
	c := &cobra.Command{
		Use:   "stress",
		Short: "Kill, fail and reopen a store, and check every answer",
		Long: `Have a process of its own write to a new store, read, flush, compact and rebuild filters,
all at once, under settings drawn at random; kill it, or close the store, or make file
operations fail; then open the store again and compare all that it holds with what it
must hold. And so on, round by round, until the time is over.

Nothing that was told to be durable may be missing, batches must be whole, what is there
must be a prefix of what was written, and no answer may be wrong. Where one of these
does not hold, the command says what and in which round, and leaves the store as it was
found. The seed draws everything but the moments at which things happen.`,
		Example: "  siftdb stress --duration 10m\n  siftdb stress --duration 1h --seed 7 --dir /mnt/disk/stress",
		Args:    arguments,
		RunE:    f.run,
	}
	c.Flags().DurationVar(&f.duration, "duration", time.Minute, "how `long` new rounds begin")
	c.Flags().Uint64Var(&f.seed, "seed", 0, "draws settings and faults; 0: a new one")
	c.Flags().StringVar(&f.dir, "dir", "", "an empty or missing `directory` for the store (default a temporary one)")
	// The only error is a flag that is not there.
	_ = c.MarkFlagDirname("dir")
	addOutputFlag(c, &f.format)
	c.AddCommand(newStressWorkerCommand())
	return c
}

func (f *stressFlags) run(c *cobra.Command, _ []string) error {
	remove, err := f.makeDir(c)
	if err != nil {
		return err
	}
	for f.seed == 0 {
		f.seed = rand.Uint64()
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("siftdb: finding the program for workers: %w", err)
	}
	note(c, "seed %d, store in %s", f.seed, f.dir)
	told := time.Now()
	summary, err := stress.Run(c.Context(), stress.Config{
		Dir:      f.dir,
		Duration: f.duration,
		Seed:     f.seed,
		Worker:   func(ctx context.Context, r stress.Round) *exec.Cmd { return f.worker(ctx, c, self, r) },
		Progress: func(s stress.Summary) {
			if time.Since(told) > toldEvery {
				told = time.Now()
				note(c, "%s of %s: %s, %s, %s compared", s.Elapsed.Round(time.Second), f.duration,
					plural(s.Rounds, "round"), plural(s.Writes, "write"), plural(s.Reads+s.Checked, "answer"))
			}
		},
	})
	if err != nil {
		return errors.Join(fmt.Errorf("siftdb: the store in %s: %w", f.dir, err), f.write(c, summary))
	}
	if err := c.Context().Err(); err != nil {
		err = fmt.Errorf("siftdb: stress: %w: nothing was wrong in %s", err, plural(summary.Rounds, "round"))
		return errors.Join(f.write(c, summary), remove(), err)
	}
	return errors.Join(f.write(c, summary), remove())
}

// makeDir sees to an empty directory. The function that it returns removes it if it is a temporary one.
func (f *stressFlags) makeDir(c *cobra.Command) (remove func() error, err error) {
	if f.dir == "" {
		top, err := os.MkdirTemp("", "siftdb-stress-")
		f.dir = filepath.Join(top, "store")
		return func() error { return os.RemoveAll(top) }, err
	}
	names, err := os.ReadDir(f.dir)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	if len(names) > 0 {
		return nil, usageError(c, fmt.Sprintf("--dir %s is not empty: stress makes a store of its own", f.dir))
	}
	return func() error { return nil }, nil
}

// worker is the program called again to play a round, in whatever program c is mounted.
func (f *stressFlags) worker(ctx context.Context, c *cobra.Command, self string, r stress.Round) *exec.Cmd {
	path := strings.Fields(c.CommandPath())[1:] // without the program's own name
	return exec.CommandContext(ctx, self, append(path, "worker", "--dir", f.dir,
		"--seed", strconv.FormatUint(r.Seed, 10), "--round", strconv.Itoa(r.Number))...)
}

func (f *stressFlags) write(c *cobra.Command, s stress.Summary) error {
	return writeFacts(c.OutOrStdout(), f.format, []fact{
		{"seed", "seed", f.seed, strconv.FormatUint(f.seed, 10)},
		{"seconds", "time", s.Elapsed.Seconds(), s.Elapsed.Round(time.Second).String()},
		countFact("rounds", "rounds", s.Rounds),
		countFact("kills", "  ended by kill", s.Kills),
		countFact("closes", "  ended by Close", s.Closes),
		countFact("faulty_rounds", "  with failing files", s.Faulty),
		countFact("faults", "file operations failed", s.Faults),
		countFact("writes", "writes", s.Writes),
		countFact("durable", "  told to be durable", s.Durable),
		countFact("reads", "answers compared while writing", s.Reads),
		countFact("checked", "entries compared after rounds", s.Checked),
	})
}

// newStressWorkerCommand makes the command that stress calls for each round.
func newStressWorkerCommand() *cobra.Command {
	var dir string
	var round stress.Round
	c := &cobra.Command{
		Use:    "worker",
		Short:  "Play one round of stress; stress calls it",
		Args:   arguments,
		Hidden: true,
		RunE: func(c *cobra.Command, _ []string) error {
			return stress.Work(c.Context(), dir, round, c.OutOrStdout())
		},
	}
	c.Flags().StringVar(&dir, "dir", "", "the store's `directory`")
	c.Flags().Uint64Var(&round.Seed, "seed", 0, "of the run")
	c.Flags().IntVar(&round.Number, "round", 0, "from 1")
	return c
}
