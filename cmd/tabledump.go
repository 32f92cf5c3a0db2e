package cmd

import (
	"errors"

	"github.com/spf13/cobra"

	"siftdb/internal/key"
	"siftdb/sstable"
)

// tableDumpFlags are the flags of table dump.
type tableDumpFlags struct {
	keys, values byteForm
	format       outputFormat
}

func newTableDumpCommand() *cobra.Command {
	f := &tableDumpFlags{}
	c := &cobra.Command{
		Use:   "dump FILE",
		Short: "Print all entries of a table file",
		Long: `Print all entries of a table file, versions and deletions too, with the file offset of
their block and the position in its content. What is damaged is printed as such, and
what comes after it all the same; the exit code is 4 then.`,
		Example:           "  siftdb table dump fruit/000002.sst --keys hex",
		Args:              arguments,
		ValidArgsFunction: filesNamed("sst"),
		RunE:              f.run,
	}
	addKeysFlag(c, &f.keys)
	addValuesFlag(c, &f.values)
	addOutputFlag(c, &f.format)
	return c
}

func (f *tableDumpFlags) run(c *cobra.Command, given []string) error {
	return withTable(given[0], func(r *sstable.Reader) error {
		entries := &tolerant[sstable.PlacedEntry]{rows: r.Entries()}
		err := writeListing(c.OutOrStdout(), f.format, f.columns(), until(c.Context(), entries.all()))
		return errors.Join(err, entries.damage)
	})
}

func (f *tableDumpFlags) columns() []column[judged[sstable.PlacedEntry]] {
	type E = judged[sstable.PlacedEntry]
	// sound leaves out what a damaged block does not have.
	sound := func(of func(sstable.PlacedEntry) any) func(E) any {
		return func(e E) any {
			if e.problem != nil {
				return nil
			}
			return of(e.row)
		}
	}
	return []column[E]{
		{name: "block", title: "block", value: func(e E) any { return e.row.Block }},
		{name: "position", title: "at", value: func(e E) any { return e.row.At }},
		{name: "key", title: "key", value: sound(func(e sstable.PlacedEntry) any { return f.keys.show(e.Key.User) })},
		{name: "sequence", title: "seq", value: sound(func(e sstable.PlacedEntry) any { return uint64(e.Key.Seq()) })},
		{name: "kind", title: "kind", value: sound(func(e sstable.PlacedEntry) any { return e.Key.Kind().String() })},
		{name: "value", title: "value", value: sound(func(e sstable.PlacedEntry) any {
			if e.Key.Kind() == key.KindDelete {
				return nil
			}
			return f.values.show(e.Value)
		})},
		problemColumn[sstable.PlacedEntry](),
	}
}
