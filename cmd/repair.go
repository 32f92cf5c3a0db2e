package cmd

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"siftdb/db"
)

// repairFlags are the flags of repair.
type repairFlags struct {
	store  storeFlag
	filter filterFlag
	keys   byteForm
	format outputFormat
	yes    bool
}

func newRepairCommand() *cobra.Command {
	f := &repairFlags{}
	c := &cobra.Command{
		Use:   "repair [DIR]",
		Short: "Make a damaged store open again, with all that can be read of it",
		Long: `Find out from the manifest, the tables and the log what belongs to the store, keep all
tables that are sound, write anew what can be read of damaged ones, replay the log up to
the first damage, and make a new manifest. Files that are no part of the store any more
get names that end in .aside; none is removed. A sound store is left as it is.

Each file of the store is listed with what became of it, and with the keys of which
entries are lost: reads of those find nothing, or an older value. Exit code 4 says that
something was lost. Interrupted, the store can be repaired again. Nothing is done without
--yes; siftdb verify tells what is wrong.`,
		Example: "  siftdb repair fruit --yes\n  siftdb repair -d fruit --yes -o json",
		Args:    arguments,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: f.run,
	}
	f.store.add(c)
	f.filter.add(c)
	addKeysFlag(c, &f.keys)
	addOutputFlag(c, &f.format)
	c.Flags().BoolVar(&f.yes, "yes", false, "really do it")
	return c
}

func (f *repairFlags) run(c *cobra.Command, given []string) error {
	if len(given) > 0 && f.store.dir != "" {
		return usageError(c, "which store? Give its directory or --db, not both")
	}
	if len(given) > 0 {
		f.store.dir = given[0]
	}
	dir, err := f.store.name(c)
	if err != nil {
		return err
	}
	if !f.yes {
		return usageError(c, "repair changes files; look with verify, and give --yes to go on")
	}
	o := db.Options{Filter: f.filter.policy}
	report, err := db.Repair(c.Context(), dir, &o)
	if errors.Is(err, db.ErrLocked) {
		return openingStep(c, dir, &o, err)
	}
	if err != nil {
		return err
	}
	if report.Sound() {
		note(c, "%s is sound, nothing was changed", dir)
		return nil
	}
	if err := writeListing(c.OutOrStdout(), f.format, remnantColumns(f.keys), allOf(remnantsOf(&report))); err != nil {
		return err
	}
	return f.tell(c, dir, &report)
}

// tell says what was done, and gives an error where something was lost.
func (f *repairFlags) tell(c *cobra.Command, dir string, report *db.RepairReport) error {
	note(c, "found: %s", ErrorLine(report.Problem)[len(errorPrefix):])
	if report.ManifestProblem != nil {
		note(c, "uncertain which tables belong to the store: %s; what was replaced or deleted since may be back",
			ErrorLine(report.ManifestProblem)[len(errorPrefix):])
	}
	if n := len(report.SetAside); n > 0 {
		note(c, "%s of %s now end in .aside; remove them when all is well", plural(n, "file"), dir)
	}
	if report.Whole() {
		note(c, "repaired %s; nothing is known to be lost", dir)
		return nil
	}
	return fmt.Errorf("siftdb: repaired %s, and some of it is lost: %w", dir, lossOf(report))
}

// lossOf is the first loss in a report, as damage.
func lossOf(report *db.RepairReport) error {
	for _, t := range report.Tables {
		if len(t.Lost) > 0 {
			return damageOf(t.Problem)
		}
	}
	for _, l := range report.Logs {
		if l.Problem != nil {
			return damageOf(l.Problem)
		}
	}
	return nil
}

// damageOf is err, as an error that is damage in any case.
func damageOf(err error) error {
	if errors.Is(err, db.ErrCorrupt) {
		return err
	}
	return fmt.Errorf("%w: %w", db.ErrCorrupt, err)
}
