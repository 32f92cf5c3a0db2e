package cmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"siftdb/db"
)

// countFlags are the flags of count.
type countFlags struct {
	store  storeFlag
	keys   byteForm
	bounds rangeFlags
}

func newCountCommand() *cobra.Command {
	f := &countFlags{}
	c := &cobra.Command{
		Use:               "count",
		Short:             "Print how many keys there are",
		Long:              "Print how many keys there are, all of them or those in a range. It reads them one by one.",
		Example:           "  siftdb count -d fruit --prefix fi",
		Args:              arguments,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              f.run,
	}
	f.store.add(c)
	addKeysFlag(c, &f.keys)
	f.bounds.addBounds(c)
	f.bounds.addLimit(c)
	return c
}

func (f *countFlags) run(c *cobra.Command, _ []string) error {
	r, err := f.bounds.read(c, f.keys)
	if err != nil {
		return err
	}
	r.KeysOnly = true
	return f.store.look(c, func(store *db.DB) error {
		n := 0
		for _, err := range until(c.Context(), store.Scan(r)) {
			if err != nil {
				return err
			}
			n++
		}
		_, err := fmt.Fprintln(c.OutOrStdout(), n)
		return err
	})
}
