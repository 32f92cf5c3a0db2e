package cmd

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
)

// writeOutput calls fn with a writer to the file with that name, packed if the name ends in .gz; - is the output of
// c. The file appears when all of it is written: where fn fails there is none, or the one that was there before.
func writeOutput(c *cobra.Command, name string, fn func(w *bufio.Writer) error) error {
	if name == "-" {
		return flushed(c.OutOrStdout(), fn)
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() { // found out by the rename otherwise, after all the work
		return fmt.Errorf("siftdb: %s is a directory: name a file in it", name)
	}
	f, err := os.Create(name + ".part")
	if err != nil {
		return fmt.Errorf("siftdb: %w", err)
	}
	err = errors.Join(writeFile(f, strings.HasSuffix(name, ".gz"), fn), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// makeWritable sees to a directory that files can be made in, before the work whose results they are to hold.
func makeWritable(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "siftdb-*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// writeFile calls fn with a writer to f and makes what it wrote durable.
func writeFile(f *os.File, packed bool, fn func(w *bufio.Writer) error) error {
	if !packed {
		return errors.Join(flushed(f, fn), f.Sync())
	}
	pack := gzip.NewWriter(f)
	return errors.Join(flushed(pack, fn), pack.Close(), f.Sync())
}

// flushed calls fn with a buffer before w and empties it into w, also when fn fails: what it wrote is good.
func flushed(w io.Writer, fn func(w *bufio.Writer) error) error {
	out := bufio.NewWriterSize(w, 64<<10)
	err := fn(out)
	if emptied := out.Flush(); err == nil {
		err = emptied
	}
	return err
}
