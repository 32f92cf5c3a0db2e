package cmd

import (
	"github.com/spf13/cobra"

	"siftdb/db"
)

func newFlushCommand() *cobra.Command {
	var store storeFlag
	var filter filterFlag
	c := &cobra.Command{
		Use:               "flush",
		Short:             "Write what is only in the log to tables",
		Example:           "  siftdb flush -d fruit",
		Args:              arguments,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error {
			return store.change(c, db.Options{Filter: filter.policy}, func(store *db.DB) error {
				if err := store.Flush(c.Context()); err != nil {
					return err
				}
				m := store.Metrics()
				note(c, "flushed %s into tables", sizeText(m.FlushedBytes))
				return nil
			})
		},
	}
	store.add(c)
	filter.add(c)
	return c
}
