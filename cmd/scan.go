package cmd

import (
	"bufio"
	"iter"

	"github.com/spf13/cobra"

	"siftdb/db"
)

// outputLines is the form of scan that is for pipes as well as for people: a key, a tab and its value on each line.
const outputLines outputFormat = "lines"

// scanFlags are the flags of scan.
type scanFlags struct {
	store        storeFlag
	keys, values byteForm
	bounds       rangeFlags
	keysOnly     bool
	format       outputFormat
}

func newScanCommand() *cobra.Command {
	f := &scanFlags{}
	c := &cobra.Command{
		Use:   "scan",
		Short: "Print keys and values in order",
		Long: `Print keys and values in the order of keys: on lines with a tab between them, or in
another form. As text, what is not plain to see is quoted; export writes what import
reads.`,
		Example: `  siftdb scan -d fruit --prefix fi --limit 10
  siftdb scan -d fruit --from a --to c --reverse -o json`,
		Args:              arguments,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              f.run,
	}
	f.store.add(c)
	addKeysFlag(c, &f.keys)
	addValuesFlag(c, &f.values)
	f.bounds.addBounds(c)
	f.bounds.addLimit(c)
	c.Flags().BoolVar(&f.bounds.reverse, "reverse", false, "from the largest key to the smallest")
	c.Flags().BoolVar(&f.keysOnly, "keys-only", false, "leave values out")
	addOutputFlag(c, &f.format, outputLines)
	return c
}

func (f *scanFlags) run(c *cobra.Command, _ []string) error {
	r, err := f.bounds.read(c, f.keys)
	if err != nil {
		return err
	}
	r.KeysOnly = f.keysOnly
	return f.store.look(c, func(store *db.DB) error {
		out := bufio.NewWriter(c.OutOrStdout())
		entries := until(c.Context(), store.Scan(r))
		if f.format == outputLines {
			err = f.writeLines(out, entries)
		} else {
			err = writeListing(out, f.format, f.columns(), entries)
		}
		if flushed := out.Flush(); err == nil {
			err = flushed
		}
		return err
	})
}

func (f *scanFlags) writeLines(out *bufio.Writer, entries iter.Seq2[db.Entry, error]) error {
	for e, err := range entries {
		if err != nil {
			return err
		}
		line := f.keys.show(e.Key)
		if !f.keysOnly {
			line += "\t" + f.values.show(e.Value)
		}
		if _, err := out.WriteString(line + "\n"); err != nil {
			return err
		}
	}
	return nil
}

func (f *scanFlags) columns() []column[db.Entry] {
	columns := []column[db.Entry]{
		{name: "key", title: "key", value: func(e db.Entry) any { return f.keys.show(e.Key) }},
	}
	if f.keysOnly {
		return columns
	}
	return append(columns, column[db.Entry]{
		name: "value", title: "value", value: func(e db.Entry) any { return f.values.show(e.Value) },
	})
}
