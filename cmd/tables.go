package cmd

import (
	"slices"

	"github.com/spf13/cobra"

	"siftdb/db"
)

// tablesFlags are the flags of tables.
type tablesFlags struct {
	store  storeFlag
	keys   byteForm
	format outputFormat
}

func newTablesCommand() *cobra.Command {
	f := &tablesFlags{}
	c := &cobra.Command{
		Use:               "tables",
		Short:             "List the store's tables",
		Long:              "List the tables in the order in which a read asks them: level 0, newest first, then down.",
		Example:           "  siftdb tables -d fruit -o csv",
		Args:              arguments,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              f.run,
	}
	f.store.add(c)
	addKeysFlag(c, &f.keys)
	addOutputFlag(c, &f.format)
	return c
}

func (f *tablesFlags) run(c *cobra.Command, _ []string) error {
	return f.store.look(c, func(store *db.DB) error {
		noteNoTables(c, store)
		if err := store.LoadFilters(c.Context()); err != nil { // or there would be no bits of them yet
			return err
		}
		return writeListing(c.OutOrStdout(), f.format, f.columns(), allOf(slices.Collect(store.Tables())))
	})
}

// noteNoTables tells why there is nothing to see in a store that was written to a moment ago.
func noteNoTables(c *cobra.Command, store *db.DB) {
	if tableSums(store).tables == 0 {
		note(c, "no tables, and so no filters: what was put is only in the log until siftdb flush")
	}
}

func (f *tablesFlags) columns() []column[db.TableInfo] {
	type T = db.TableInfo
	return []column[T]{
		{name: "table", title: "table", value: func(t T) any { return t.File }},
		{name: "level", title: "level", value: func(t T) any { return t.Level }},
		sizeColumn("bytes", "size", func(t T) int64 { return t.Size }),
		countColumn("entries", "entries", func(t T) uint64 { return t.Entries }),
		countColumn("keys", "keys", func(t T) uint64 { return t.Keys }),
		countColumn("deletions", "deletions", func(t T) uint64 { return t.Deletions }),
		{name: "smallest", title: "smallest key", value: func(t T) any { return f.keys.show(t.Smallest) }},
		{name: "largest", title: "largest key", value: func(t T) any { return f.keys.show(t.Largest) }},
		{name: "smallest_seq", value: func(t T) any { return t.SmallestSeq }},
		{name: "largest_seq", value: func(t T) any { return t.LargestSeq }},
		{name: "raw_bytes", value: func(t T) any { return t.RawBytes }},
		{name: "filter", title: "filter", value: func(t T) any { return textOrNil(t.FilterFamily) }},
		{name: "bits_asked", value: func(t T) any { return t.AskedBitsPerKey }},
		{name: "bits_per_key", title: "bits/key", value: func(t T) any { return t.Filter.BitsPerKey() },
			text: func(t T) string { return bitsText(t.Filter.BitsPerKey()) }},
	}
}
