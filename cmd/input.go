package cmd

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
)

// input is something to read: a file, unpacked if its name ends in .gz, or a command's input.
type input struct {
	io.Reader
	name   string // for errors
	closes []io.Closer
}

// lookForInputs says which of the files with these names is not there to be read, before work begins. They are not
// opened: a pipe can be read once.
func lookForInputs(names []string) error {
	for _, name := range names {
		if name == "-" {
			continue
		}
		if err := lookForFile(name, "is a directory: name files of lines"); err != nil {
			return err
		}
	}
	return nil
}

// lookForFile says that a file is not there, or, in the words of ifDirectory, that it is a directory.
func lookForFile(name, ifDirectory string) error {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return fmt.Errorf("siftdb: %w", err)
	case info.IsDir():
		return fmt.Errorf("siftdb: %s %s", name, ifDirectory)
	}
	return nil
}

// openInput opens the file with that name; - is the input of c.
func openInput(c *cobra.Command, name string) (*input, error) {
	if name == "-" {
		return &input{Reader: c.InOrStdin(), name: "input"}, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("siftdb: %w", err)
	}
	in := &input{Reader: f, name: name, closes: []io.Closer{f}}
	if !strings.HasSuffix(name, ".gz") {
		return in, nil
	}
	unpack, err := gzip.NewReader(f)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("siftdb: %s: %w", name, err), in.Close())
	}
	in.Reader = unpack
	in.closes = []io.Closer{unpack, f}
	return in, nil
}

// Close closes the file; a command's input stays open.
func (in *input) Close() error {
	var errs []error
	for _, c := range in.closes {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}
