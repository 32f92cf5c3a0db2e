package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/spf13/cobra"

	"siftdb/bench"
	"siftdb/db"
)

// verifyFlags are the flags of verify.
type verifyFlags struct {
	store  storeFlag
	format outputFormat
}

func newVerifyCommand() *cobra.Command {
	f := &verifyFlags{}
	c := &cobra.Command{
		Use:   "verify",
		Short: "Read everything and check it",
		Long: `Read the manifest, the log and each table, and check all checksums, the order of keys,
the counts in the tables, and each key against its table's filter. Damage is exit code
4; it is printed with file and offset, and the other tables are read all the same.`,
		Example:           "  siftdb verify -d fruit",
		Args:              arguments,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              f.run,
	}
	f.store.add(c)
	addOutputFlag(c, &f.format)
	return c
}

func (f *verifyFlags) run(c *cobra.Command, _ []string) error {
	return f.store.look(c, func(store *db.DB) error { // opening checks the manifest and the log
		check := &checking{store: store, progress: bench.NewProgress(c.ErrOrStderr())}
		total := tableSums(store).tables
		check.progress.Begin("tables", total)
		err := writeListing(c.OutOrStdout(), f.format, verdictColumns(), check.verdicts(c.Context()))
		check.progress.End()
		if err != nil || check.bad == 0 {
			return err
		}
		return fmt.Errorf("siftdb: %d of %s not as it should be: %w", check.bad, plural(total, "table"), check.worst)
	})
}

// checking goes through the tables of a store.
type checking struct {
	store    *db.DB
	progress bench.Progress
	bad      int
	worst    error // the first corruption, or else the first error
}

// verdict is what came of checking one table.
type verdict struct {
	table db.TableInfo
	err   error
}

// verdicts checks table by table.
func (k *checking) verdicts(ctx context.Context) iter.Seq2[verdict, error] {
	return func(yield func(verdict, error) bool) {
		done := 0
		for table, err := range k.store.Verify(ctx) {
			if err != nil && table.File == "" { // not a table's: the context's
				yield(verdict{}, err)
				return
			}
			k.count(err)
			if !yield(verdict{table, err}, nil) {
				return
			}
			done++
			k.progress.At(done)
		}
	}
}

func (k *checking) count(err error) {
	if err == nil {
		return
	}
	k.bad++
	if k.worst == nil || errors.Is(err, db.ErrCorrupt) && !errors.Is(k.worst, db.ErrCorrupt) {
		k.worst = err
	}
}

func verdictColumns() []column[verdict] {
	return []column[verdict]{
		{name: "table", title: "table", value: func(v verdict) any { return v.table.File }},
		{name: "level", title: "level", value: func(v verdict) any { return v.table.Level }},
		countColumn("entries", "entries", func(v verdict) uint64 { return v.table.Entries }),
		sizeColumn("bytes", "size", func(v verdict) int64 { return v.table.Size }),
		{name: "ok", value: func(v verdict) any { return v.err == nil }},
		{name: "offset", title: "offset", value: func(v verdict) any {
			if damage, ok := errors.AsType[*db.CorruptionError](v.err); ok && damage.Offset >= 0 {
				return damage.Offset
			}
			return nil
		}},
		{name: "problem", title: "result",
			value: func(v verdict) any { return textOrNil(reasonOf(v.err)) },
			text:  func(v verdict) string { return cmp.Or(reasonOf(v.err), "ok") }},
	}
}
