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
	"slices"
	"strings"
	"time"

	"siftdb/bench"
	"siftdb/bench/peers/rows"
)

// campaign is a measurement of several stores, in turns, each time in a fresh process.
type campaign struct {
	kind        rows.Kind
	command     []string // that asked for it
	stores      []string
	repetitions int
	keys        int
	seed        uint64
	dir         string   // for the stores; "": a temporary one
	extent      extent   // of growth
	axes        []string // of growth; none: all
	profile     string   // directory for profiles, which a run makes; "": none
}

// campaignOf is the campaign that a command makes with its defaults.
func campaignOf(name string) *campaign {
	c := &campaign{
		kind: rows.Run, stores: contestantNames(), repetitions: 3, keys: 2_000_000, seed: 1, extent: wholeExtent,
	}
	switch name {
	case "write-amplification":
		c.kind, c.stores, c.keys = rows.WriteAmplification, []string{"siftdb", "pebble"}, 10_000_000
	case "growth":
		c.kind, c.stores, c.repetitions, c.keys = rows.Growth, []string{"siftdb", "pebble"}, 1, wholeExtent.others
	}
	return c
}

// flags are those that change c.
func (c *campaign) flags(name string) *flag.FlagSet {
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.StringVar(&c.dir, "dir", c.dir, "directory for the stores; empty: a temporary one")
	f.Uint64Var(&c.seed, "seed", c.seed, "draws the keys that are looked up")
	f.IntVar(&c.repetitions, "repetitions", c.repetitions, "how often each store is measured; they take turns")
	f.Func("stores", "which, with commas between (default "+strings.Join(c.stores, ",")+")", func(text string) error {
		c.stores = strings.Split(text, ",")
		return nil
	})
	if c.kind != rows.Growth {
		f.IntVar(&c.keys, "n", c.keys, "keys in a store")
		f.StringVar(&c.profile, "profile", c.profile,
			"directory for profiles of each phase, which slow it; empty: none")
		return f
	}
	f.Func("axes", "along which cost grows, with commas between (default all)", func(text string) error {
		c.axes = strings.Split(text, ",")
		return nil
	})
	f.BoolFunc("quick", "a short form: fewer and smaller points", func(string) error {
		c.extent, c.keys = quickExtent, quickExtent.others
		return nil
	})
	return f
}

// fewestKeys is the smallest store of which a tenth of a tenth is something.
const fewestKeys = 100

// check says what cannot be measured, before anything is.
func (c *campaign) check() error {
	for _, name := range c.stores {
		if _, err := contestantNamed(name); err != nil {
			return err
		}
	}
	for _, axis := range c.axes {
		if !slices.Contains(allAxes, axis) {
			return fmt.Errorf("no axis is called %q; there are %s", axis, strings.Join(allAxes, ", "))
		}
	}
	switch {
	case c.repetitions < 1:
		return fmt.Errorf("-repetitions must be at least 1, not %d", c.repetitions)
	case c.keys < fewestKeys:
		return fmt.Errorf("-n must be at least %d, not %d", fewestKeys, c.keys)
	}
	return nil
}

// jobs are the processes of c, in their order.
func (c *campaign) jobs() (jobs []job) {
	points := []point{{}}
	if c.kind == rows.Growth {
		points = slices.DeleteFunc(c.extent.points(), func(p point) bool {
			return len(c.axes) > 0 && !slices.Contains(c.axes, p.Axis)
		})
	}
	for repetition := range c.repetitions {
		for _, p := range points {
			for turn := range c.stores {
				jobs = append(jobs, job{
					Kind:       c.kind,
					Contestant: c.stores[(turn+repetition)%len(c.stores)], // none is always first
					Keys:       c.keys,
					Repetition: repetition + 1,
					Seed:       c.seed,
					Profile:    c.profile,
					Point:      p,
				})
			}
		}
	}
	return jobs
}

// header says where and how c is measured, now.
func (c *campaign) header(dir string) (rows.Header, error) {
	h := rows.Header{
		Kind:        c.kind,
		Header:      bench.ReadHeader(dir, c.command, time.Now()),
		Kernel:      kernel(),
		Keys:        c.keys,
		KeyBytes:    keySize,
		ValueBytes:  valueSize,
		Repetitions: c.repetitions,
		Settings:    equalSettings.String(),
	}
	for _, name := range c.stores {
		contestant, err := contestantNamed(name)
		if err != nil {
			return h, err
		}
		h.Stores = append(h.Stores, rows.Store{Name: name, Version: contestant.version(), Apart: contestant.apart})
	}
	h.Version = ownVersion()
	return h, nil
}

// measure does all jobs of c and writes header and rows to out. Where one fails the others are done all the same.
func (c *campaign) measure(ctx context.Context, out io.Writer) (err error) {
	dir := c.dir
	if dir == "" {
		if dir, err = os.MkdirTemp("", "peers-"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	}
	h, err := c.header(dir)
	if err != nil {
		return err
	}
	if err := rows.WriteHeader(out, h); err != nil {
		return err
	}
	start := time.Now()
	jobs := c.jobs()
	var errs []error
	for i, j := range jobs {
		j.Dir = dir
		since := time.Since(start).Round(time.Second)
		fmt.Fprintf(os.Stderr, "%s, %s: %d of %d, %s\n", since, c.kind, i+1, len(jobs), j)
		if err := runJob(ctx, j, out); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", j, err)
			errs = append(errs, fmt.Errorf("%s, repetition %d: %w", j, j.Repetition, err))
		}
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(errs...)
}

func (j job) String() string {
	if j.Point.Axis == "" {
		return j.Contestant
	}
	return fmt.Sprintf("%s, %s %d", j.Contestant, j.Point.Axis, j.Point.At)
}

// runJob does a job in a fresh process.
func runJob(ctx context.Context, j job, out io.Writer) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	text, err := json.Marshal(j)
	if err != nil {
		return err
	}
	c := exec.CommandContext(ctx, self, "worker", string(text))
	c.Stdout, c.Stderr = out, os.Stderr
	return c.Run()
}

// measureTo measures c into the file name.
func (c *campaign) measureTo(ctx context.Context, name string) error {
	if err := c.check(); err != nil {
		return err
	}
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(c.measure(ctx, file), file.Close())
}
