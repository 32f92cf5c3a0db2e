package cmd

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"siftdb/db"
)

// getFlags are the flags of get.
type getFlags struct {
	store        storeFlag
	keys, values byteForm
	raw          bool
}

func newGetCommand() *cobra.Command {
	f := &getFlags{}
	c := &cobra.Command{
		Use:               "get KEY",
		Short:             "Print the value of a key",
		Long:              "Print the value of a key, and a newline. A key that is not there is exit code 3.",
		Example:           "  siftdb get -d fruit fig\n  siftdb get -d fruit --keys hex 66696700 --raw > value",
		Args:              arguments,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              f.run,
	}
	f.store.add(c)
	addKeysFlag(c, &f.keys)
	addValuesFlag(c, &f.values)
	c.Flags().BoolVar(&f.raw, "raw", false, "print the value's bytes and nothing after them")
	return c
}

func (f *getFlags) run(c *cobra.Command, given []string) error {
	key, err := keyArgument(c, f.keys, given[0])
	if err != nil {
		return err
	}
	return f.store.look(c, func(store *db.DB) error {
		value, err := store.Get(key)
		if errors.Is(err, db.ErrNotFound) {
			return fmt.Errorf("%w: %s", err, f.keys.show(key))
		}
		if err != nil {
			return err
		}
		if !f.raw {
			value = append(f.words(value), '\n')
		}
		_, err = c.OutOrStdout().Write(value)
		return err
	})
}

// words is a value in its form; alone on the output, text needs no refusing.
func (f *getFlags) words(value []byte) []byte {
	if f.values == formText {
		return value
	}
	field, _ := f.values.appendField(nil, value) // only text is ever refused
	return field
}
