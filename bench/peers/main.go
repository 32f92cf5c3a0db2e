package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

const usageText = `peers measures siftdb beside other stores.

  peers run [flags]          measure, write rows to a file, print the comparison
  peers compare FILE...      print the comparison of rows that were measured before

`

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		fmt.Fprint(os.Stderr, usageText)
		return errors.New("which command?")
	}
	switch args[0] {
	case "run":
		return runAll(ctx, args[1:])
	case "compare":
		return compareFiles(args[1:], os.Stdout)
	case "worker": // what run calls for each store and repetition
		return runWorker(args[1:])
	}
	fmt.Fprint(os.Stderr, usageText)
	return fmt.Errorf("no command is called %q", args[0])
}

// jobFlags are the flags that a worker and a run have in common.
func jobFlags(name string, j *job) *flag.FlagSet {
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.IntVar(&j.Keys, "n", 2_000_000, "keys in a store")
	f.StringVar(&j.Dir, "dir", "", "directory for the stores; empty: a temporary one")
	f.Uint64Var(&j.Seed, "seed", 1, "draws the keys that are looked up")
	return f
}

func runWorker(args []string) error {
	var j job
	f := jobFlags("worker", &j)
	f.StringVar(&j.Contestant, "store", "", "what is measured")
	f.IntVar(&j.Repetition, "repetition", 1, "its number")
	if err := f.Parse(args); err != nil {
		return err
	}
	return work(j, os.Stdout)
}

func runAll(ctx context.Context, args []string) error {
	var j job
	f := jobFlags("run", &j)
	repetitions := f.Int("repetitions", 3, "how often each store is measured; they take turns")
	stores := f.String("stores", strings.Join(contestantNames(), ","), "which, with commas between")
	out := f.String("out", "peers.jsonl", "file for the rows")
	if err := f.Parse(args); err != nil {
		return err
	}
	if j.Dir == "" {
		dir, err := os.MkdirTemp("", "peers-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		j.Dir = dir
	}
	file, err := os.Create(*out)
	if err != nil {
		return err
	}
	names := strings.Split(*stores, ",")
	for j.Repetition = 1; j.Repetition <= *repetitions; j.Repetition++ {
		for turn := range names {
			j.Contestant = names[(turn+j.Repetition-1)%len(names)] // none is always first
			fmt.Fprintf(os.Stderr, "repetition %d of %d: %s\n", j.Repetition, *repetitions, j.Contestant)
			if err := runJob(ctx, j, file); err != nil {
				return errors.Join(err, file.Close())
			}
		}
	}
	if err := file.Close(); err != nil {
		return err
	}
	return compareFiles([]string{*out}, os.Stdout)
}

func contestantNames() (names []string) {
	for _, c := range contestants {
		names = append(names, c.name)
	}
	return names
}

// runJob does a job in a fresh process.
func runJob(ctx context.Context, j job, out io.Writer) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	c := exec.CommandContext(ctx, self, "worker", "-store", j.Contestant, "-n", strconv.Itoa(j.Keys), "-dir", j.Dir,
		"-seed", strconv.FormatUint(j.Seed, 10), "-repetition", strconv.Itoa(j.Repetition))
	c.Stdout, c.Stderr = out, os.Stderr
	return c.Run()
}

// readRows reads the rows of a file.
func readRows(name string) (rows []Row, err error) {
	file, err := os.Open(filepath.Clean(name))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	for d := json.NewDecoder(file); ; {
		var r Row
		err := d.Decode(&r)
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		rows = append(rows, r)
	}
}
