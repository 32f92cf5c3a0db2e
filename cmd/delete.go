package cmd

import (
	"github.com/spf13/cobra"

	"siftdb/db"
)

// deleteFlags are the flags of delete.
type deleteFlags struct {
	store storeFlag
	keys  byteForm
}

func newDeleteCommand() *cobra.Command {
	f := &deleteFlags{}
	c := &cobra.Command{
		Use:               "delete KEY...",
		Short:             "Remove keys",
		Long:              "Remove keys, all or none of them. Keys that are not there are no error.",
		Example:           "  siftdb delete -d fruit fig pear",
		Args:              arguments,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              f.run,
	}
	f.store.add(c)
	addKeysFlag(c, &f.keys)
	return c
}

func (f *deleteFlags) run(c *cobra.Command, given []string) error {
	var batch db.Batch
	for _, word := range given {
		key, err := keyArgument(c, f.keys, word)
		if err != nil {
			return err
		}
		batch.Delete(key)
	}
	return f.store.change(c, db.Options{}, func(store *db.DB) error { return store.Apply(&batch) })
}
