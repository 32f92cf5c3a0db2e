package cmd

import (
	"time"

	"github.com/spf13/cobra"

	"siftdb/db"
)

// compactFlags are the flags of compact.
type compactFlags struct {
	store  storeFlag
	keys   byteForm
	bounds rangeFlags
	filter filterFlag
}

func newCompactCommand() *cobra.Command {
	f := &compactFlags{}
	c := &cobra.Command{
		Use:   "compact",
		Short: "Merge tables, dropping what is overwritten and deleted",
		Long: `Merge what is in the log and the tables of a range, or all of it, into tables of the last
level. New tables get a filter of --bits; rebuild-filters changes filters alone.`,
		Example:           "  siftdb compact -d fruit\n  siftdb compact -d fruit --prefix user: --bits 14",
		Args:              arguments,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              f.run,
	}
	f.store.add(c)
	addKeysFlag(c, &f.keys)
	f.bounds.addBounds(c)
	f.filter.add(c)
	return c
}

func (f *compactFlags) run(c *cobra.Command, _ []string) error {
	r, err := f.bounds.read(c, f.keys)
	if err != nil {
		return err
	}
	return f.store.change(c, db.Options{Filter: f.filter.policy}, func(store *db.DB) error {
		start, before, inMemory := time.Now(), tableSums(store), ""
		if store.Metrics().MemTableBytes > 0 {
			inMemory = "the log and "
		}
		if err := store.Compact(c.Context(), r); err != nil {
			return err
		}
		after := tableSums(store)
		note(c, "compacted %s%s (%s) to %d (%s) in %s", inMemory, plural(before.tables, "table"),
			sizeText(before.bytes), after.tables, sizeText(after.bytes), time.Since(start).Round(10*time.Millisecond))
		return nil
	})
}

// sums are what a store's tables come to.
type sums struct {
	tables                             int
	bytes, entries, deletions, rawSize int64
}

func tableSums(store *db.DB) (s sums) {
	for t := range store.Tables() {
		s.tables++
		s.bytes += t.Size
		s.entries += int64(t.Entries)
		s.deletions += int64(t.Deletions)
		s.rawSize += int64(t.RawBytes)
	}
	return s
}
