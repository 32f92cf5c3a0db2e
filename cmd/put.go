package cmd

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"siftdb/db"
)

// putFlags are the flags of put.
type putFlags struct {
	store        storeFlag
	keys, values byteForm
}

func newPutCommand() *cobra.Command {
	f := &putFlags{}
	c := &cobra.Command{
		Use:   "put KEY VALUE",
		Short: "Give a key a value",
		Long: `Give a key a value, in place of the one it has. The value - is read from the input as
it is, a newline at its end too. The store is made if it is not there. When the
command ends well, the value is on disk.`,
		Example:           "  siftdb put -d fruit fig green\n  siftdb put -d fruit picture - < fig.png",
		Args:              arguments,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              f.run,
	}
	f.store.add(c)
	addKeysFlag(c, &f.keys)
	addValuesFlag(c, &f.values)
	return c
}

func (f *putFlags) run(c *cobra.Command, given []string) error {
	key, err := keyArgument(c, f.keys, given[0])
	if err != nil {
		return err
	}
	value, err := f.value(c, given[1])
	if err != nil {
		return err
	}
	return f.store.make(c, db.Options{}, func(store *db.DB) error { return store.Put(key, value) })
}

// value is what the argument stands for.
func (f *putFlags) value(c *cobra.Command, word string) ([]byte, error) {
	if word == "-" {
		// One byte more than the store takes is enough for it to refuse the value.
		value, err := io.ReadAll(io.LimitReader(c.InOrStdin(), db.MaxValueSize+1))
		if err != nil {
			return nil, fmt.Errorf("siftdb: reading the value: %w", err)
		}
		return value, nil
	}
	value, err := f.values.parse(word)
	if err != nil {
		return nil, usageError(c, "value: "+err.Error())
	}
	return value, nil
}
