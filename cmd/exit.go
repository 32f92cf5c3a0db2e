package cmd

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"siftdb/db"
)

// Exit codes of the siftdb program.
const (
	ExitOK          = 0
	ExitError       = 1
	ExitUsage       = 2
	ExitNotFound    = 3
	ExitCorrupt     = 4
	ExitInterrupted = 130 // as shells have it for a program that Ctrl-C ended
)

// ExitCode says with which code a program should end for an error that a command returned; nil is ExitOK.
func ExitCode(err error) int {
	switch {
	case err == nil:
		return ExitOK
	case errors.Is(err, errUsage):
		return ExitUsage
	case errors.Is(err, db.ErrNotFound):
		return ExitNotFound
	case errors.Is(err, db.ErrCorrupt):
		return ExitCorrupt
	case errors.Is(err, context.Canceled):
		return ExitInterrupted
	}
	return ExitError
}

// errUsage is in every error that says that a command was called wrongly.
var errUsage = errors.New("usage")

type usage struct {
	text string
	help string
}

// usageError is an error for a wrong call of c.
func usageError(c *cobra.Command, text string) error {
	return &usage{text: text, help: c.CommandPath() + " --help"}
}

func (u *usage) Error() string { return "siftdb: " + u.text + "; see " + u.help }

func (u *usage) Is(target error) bool { return target == errUsage }
