package cmd

import (
	"bufio"

	"github.com/spf13/cobra"

	"siftdb/db"
)

// exportFlags are the flags of export.
type exportFlags struct {
	store        storeFlag
	keys, values byteForm
	bounds       rangeFlags
}

func newExportCommand() *cobra.Command {
	f := &exportFlags{}
	c := &cobra.Command{
		Use:   "export [FILE]",
		Short: "Write keys and values on lines that import reads",
		Long: `Write keys and values in the order of keys, on each line a key, a tab and a value, to a
file or to the output. A file whose name ends in .gz is packed; it appears when it is
whole.

As text, bytes are written as they are; a key or value with a tab or a newline in it is
refused. The forms quoted, hex and base64 hold any bytes; import takes the same flags.`,
		Example: `  siftdb export -d fruit > fruit.tsv
  siftdb export -d fruit --keys quoted --values base64 fruit.tsv.gz`,
		Args: arguments,
		RunE: f.run,
	}
	f.store.add(c)
	addKeysFlag(c, &f.keys)
	addValuesFlag(c, &f.values)
	f.bounds.addBounds(c)
	f.bounds.addLimit(c)
	return c
}

func (f *exportFlags) run(c *cobra.Command, given []string) error {
	r, err := f.bounds.read(c, f.keys)
	if err != nil {
		return err
	}
	name := "-"
	if len(given) > 0 {
		name = given[0]
	}
	return f.store.look(c, func(store *db.DB) error {
		m := newMeter(c.ErrOrStderr(), "exporting")
		err := writeOutput(c, name, func(w *bufio.Writer) error {
			lines := &pairWriter{out: w, keys: f.keys, values: f.values}
			for e, err := range until(c.Context(), store.Scan(r)) {
				if err != nil {
					return err
				}
				if err := lines.write(e.Key, e.Value); err != nil {
					return err
				}
				m.add(len(e.Key) + len(e.Value))
			}
			return nil
		})
		m.end()
		if err == nil {
			note(c, "exported %v", m)
		}
		return err
	})
}
