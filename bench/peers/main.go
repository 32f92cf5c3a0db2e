package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

const usageText = `peers measures siftdb beside other stores.

  peers run [flags]                   what is done to a store, measured: write rows to a file, print the comparison
  peers write-amplification [flags]   how much stores write for what they are given
  peers growth [flags]                how cost grows with keys, value size, goroutines and bits a key
  peers compare [flags] FILE...       show rows that were measured before: tables, pictures, a part of a README
  peers publish [flags]               all of these, for the results that are kept beside this program

`

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		fmt.Fprint(os.Stderr, usageText)
		return errors.New("which command?")
	}
	switch args[0] {
	case "run", "write-amplification", "growth":
		return measureAndShow(ctx, args)
	case "compare":
		return compareFiles(args[1:])
	case "publish":
		return publish(ctx, args)
	case "worker": // a process of its own for each store and repetition
		return runWorker(args[1:])
	case "help", "-h", "-help", "--help":
		fmt.Print(usageText)
		return nil
	}
	fmt.Fprint(os.Stderr, usageText)
	return fmt.Errorf("no command is called %q", args[0])
}

// runWorker does the job that its only argument holds.
func runWorker(args []string) error {
	var j job
	if len(args) != 1 {
		return errors.New("worker: which job?")
	}
	if err := json.Unmarshal([]byte(args[0]), &j); err != nil {
		return err
	}
	return work(j, os.Stdout)
}
