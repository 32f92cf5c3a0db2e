package cmd

import (
	"errors"

	"github.com/spf13/cobra"

	"siftdb/db"
)

// explainFlags are the flags of explain.
type explainFlags struct {
	store         storeFlag
	keys          byteForm
	ignoreFilters bool
	format        outputFormat
}

func newExplainCommand() *cobra.Command {
	f := &explainFlags{}
	c := &cobra.Command{
		Use:   "explain KEY",
		Short: "Show a read step by step",
		Long: `Look a key up and show what the read did, in its order: the memtables, then each table,
level by level. A table whose range does not hold the key is a range miss; else its
filter is asked. A filter skip saves a block read; a true pass finds the key; a false
pass costs a block read for nothing.`,
		Example:           "  siftdb explain -d fruit fig\n  siftdb explain -d fruit fig --ignore-filters",
		Args:              arguments,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              f.run,
	}
	f.store.add(c)
	addKeysFlag(c, &f.keys)
	c.Flags().BoolVar(&f.ignoreFilters, "ignore-filters", false, "read as if the tables had no filters")
	addOutputFlag(c, &f.format)
	return c
}

func (f *explainFlags) run(c *cobra.Command, given []string) error {
	key, err := keyArgument(c, f.keys, given[0])
	if err != nil {
		return err
	}
	return f.store.look(c, func(store *db.DB) error {
		if err := store.LoadFilters(c.Context()); err != nil { // or the read would find none in memory yet
			return err
		}
		e := f.read(store, key)
		if err := e.write(c.OutOrStdout(), f.format); err != nil {
			return err
		}
		if !errors.Is(e.err, db.ErrNotFound) {
			return e.err
		}
		return nil
	})
}

// read looks key up in the store, with a trace.
func (f *explainFlags) read(store *db.DB, key []byte) *explanation {
	var trace db.Trace
	opts := []db.ReadOption{db.TraceTo(&trace)}
	if f.ignoreFilters {
		opts = append(opts, db.IgnoreFilters)
	}
	before := store.Metrics()
	value, err := store.Get(key, opts...)
	did := store.Metrics().Sub(before)
	e := &explanation{
		Key: f.keys.show(key), Found: err == nil, ValueBytes: len(value),
		Steps: explainedSteps(trace.Steps, store.Tables(), key, err),
		err:   err,
	}
	e.Sums = explainedSums{
		MemTables: trace.MemTables, Tables: trace.Tables,
		RangeMisses: e.tables(outcomeRangeMiss), NotAsked: e.tables(outcomeNotAsked), Failed: e.tables(outcomeFailed),
		FilterSkips: trace.FilterSkips, TruePasses: trace.TruePasses, FalsePasses: trace.FalsePasses,
		BlocksRead: trace.BlocksRead, BlocksCached: trace.BlocksCached, BlockBytes: trace.BytesRead,
		TablesOpened: did.TableOpens, FileReads: did.TableReads, FileBytes: did.TableBytesRead,
	}
	return e
}
