package cmd

import (
	"errors"

	"github.com/spf13/cobra"

	"siftdb/internal/key"
	"siftdb/sstable"
)

// tableLayoutFlags are the flags of table layout.
type tableLayoutFlags struct {
	keys   byteForm
	format outputFormat
}

func newTableLayoutCommand() *cobra.Command {
	f := &tableLayoutFlags{}
	c := &cobra.Command{
		Use:   "layout FILE",
		Short: "Print where the blocks of a table file are",
		Long: `Print all parts of a table file in their order, with offset and length: data blocks,
filter, index, properties, footer. Damage is exit code 4.`,
		Example:           "  siftdb table layout fruit/000002.sst",
		Args:              arguments,
		ValidArgsFunction: filesNamed("sst"),
		RunE:              f.run,
	}
	addKeysFlag(c, &f.keys)
	addOutputFlag(c, &f.format)
	return c
}

func (f *tableLayoutFlags) run(c *cobra.Command, given []string) error {
	return withTable(given[0], func(r *sstable.Reader) error {
		sections := &tolerant[sstable.Section]{rows: r.Layout()}
		err := writeListing(c.OutOrStdout(), f.format, f.columns(), until(c.Context(), sections.all()))
		return errors.Join(err, sections.damage)
	})
}

func (f *tableLayoutFlags) columns() []column[judged[sstable.Section]] {
	type S = judged[sstable.Section]
	// bound is a key of a data block; other parts have none.
	bound := func(of func(sstable.Section) key.Key) func(S) any {
		return func(s S) any {
			if s.row.Kind != sstable.SectionData || s.row.Entries == 0 {
				return nil
			}
			return f.keys.show(of(s.row).User)
		}
	}
	return []column[S]{
		{name: "offset", title: "offset", value: func(s S) any { return s.row.Offset }},
		{name: "length", title: "length", value: func(s S) any { return s.row.Length }},
		{name: "kind", title: "kind", value: func(s S) any { return s.row.Kind.String() }},
		{name: "content", title: "content", value: func(s S) any { return s.row.Content }},
		{name: "entries", title: "entries", value: func(s S) any { return s.row.Entries }},
		{name: "first", title: "first key", value: bound(func(s sstable.Section) key.Key { return s.First })},
		{name: "last", title: "last key", value: bound(func(s sstable.Section) key.Key { return s.Last })},
		problemColumn[sstable.Section](),
	}
}
