package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"siftdb/bench/peers/compare"
	"siftdb/bench/peers/rows"
)

// pageOf reads files of rows.
func pageOf(names []string) (*compare.Page, error) {
	if len(names) == 0 {
		return nil, errors.New("compare: which files of rows? Such as run.jsonl, which run writes")
	}
	files := make([]rows.File, len(names))
	for i, name := range names {
		var err error
		if files[i], err = rows.Read(name); err != nil {
			return nil, err
		}
	}
	return compare.Of(files)
}

// measureAndShow is a command that measures: args are its name and flags.
func measureAndShow(ctx context.Context, args []string) error {
	c := campaignOf(args[0])
	c.command = append([]string{"peers"}, args...)
	f := c.flags(args[0])
	out := f.String("out", args[0]+".jsonl", "file for the rows")
	if err := parseAll(f, args[1:]); err != nil {
		return err
	}
	if err := c.measureTo(ctx, *out); err != nil {
		return err
	}
	return show([]string{*out}, "", "")
}

// parseAll parses flags of a command that takes nothing else.
func parseAll(f *flag.FlagSet, args []string) error {
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 {
		return fmt.Errorf("%s takes no %q", f.Name(), f.Arg(0))
	}
	return nil
}

// compareFiles is the command compare.
func compareFiles(args []string) error {
	f := flag.NewFlagSet("compare", flag.ContinueOnError)
	to := f.String("to", "", "directory for the page as README.md with its pictures; empty: the page alone is printed")
	readme := f.String("readme", "", "README whose part between its marks is written anew; needs -to")
	if err := f.Parse(args); err != nil {
		return err
	}
	if *readme != "" && *to == "" {
		return errors.New("compare: -readme needs -to, the directory of the pictures that it shows")
	}
	return show(f.Args(), *to, *readme)
}

// show prints the page of files, or saves it in the directory to and writes its part of a README, if there is one.
func show(files []string, to, readme string) error {
	page, err := pageOf(files)
	if err != nil {
		return err
	}
	if to == "" {
		return page.Write(os.Stdout)
	}
	if err := page.Save(to); err != nil || readme == "" {
		return err
	}
	return page.Rewrite(readme, to)
}

// publish measures all anew, or what its flags say, and shows all that there are files of.
func publish(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("publish", flag.ContinueOnError)
	results := f.String("results", "results", "directory for rows, page and pictures")
	readme := f.String("readme", "../../README.md", "README whose part between its marks is written anew")
	flags := map[string]*string{
		"run":                 f.String("run", "", "flags of peers run, with spaces between"),
		"write-amplification": f.String("write-amplification", "", "flags of peers write-amplification"),
		"growth":              f.String("growth", "", "flags of peers growth"),
	}
	only := f.String("only", "run,write-amplification,growth", "what to measure, with commas between; else all stays")
	if err := parseAll(f, args[1:]); err != nil {
		return err
	}
	for _, name := range strings.Split(*only, ",") {
		text, known := flags[name]
		if !known {
			return fmt.Errorf("publish: no measurement is called %q", name)
		}
		if err := measureResult(ctx, name, strings.Fields(*text), *results); err != nil {
			return err
		}
	}
	files, err := filepath.Glob(filepath.Join(*results, "*.jsonl"))
	if err != nil {
		return err
	}
	return show(files, *results, *readme)
}

// measureResult replaces a file of results when its measurement is through.
func measureResult(ctx context.Context, name string, flags []string, dir string) error {
	c := campaignOf(name)
	c.command = append([]string{"peers", name}, flags...)
	if err := c.flags(name).Parse(flags); err != nil {
		return err
	}
	part := filepath.Join(dir, name+".part")
	if err := c.measureTo(ctx, part); err != nil {
		return fmt.Errorf("%w\nwhat was measured is in %s", err, part)
	}
	return os.Rename(part, filepath.Join(dir, name+".jsonl"))
}
