package cmd

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"siftdb/db"
)

// openingStep adds to an error of opening the store in dir what c's user can do next. The store itself knows
// of no commands.
func openingStep(c *cobra.Command, dir string, o *db.Options, err error) error {
	switch {
	case errors.Is(err, db.ErrLocked) && o.ReadOnly:
		siftdb := c.Parent().CommandPath()
		return fmt.Errorf("%w; close it there first, or look at its files with %s table, wal or manifest", err, siftdb)
	case errors.Is(err, db.ErrLocked):
		return fmt.Errorf("%w; close it there first", err)
	case errors.Is(err, db.ErrCorrupt):
		return repairStep(c, dir, err)
	}
	return err
}

// readingStep is openingStep for damage that an open store met.
func readingStep(c *cobra.Command, dir string, err error) error {
	if !errors.Is(err, db.ErrCorrupt) {
		return err
	}
	if c.Name() == "verify" { // has said what else is damaged
		return repairStep(c, dir, err)
	}
	return fmt.Errorf("%w; %s verify -d %s says what else is damaged", err, c.Parent().CommandPath(), dir)
}

func repairStep(c *cobra.Command, dir string, err error) error {
	return fmt.Errorf("%w; %s repair %s --yes keeps all that can be read, and says what is lost", err,
		c.Parent().CommandPath(), dir)
}
