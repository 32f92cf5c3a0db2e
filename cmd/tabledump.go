package cmd

import (
	"errors"
	"iter"

	"github.com/spf13/cobra"

	"siftdb/internal/corrupt"
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
		Args:              args(cobra.ExactArgs(1)),
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

// judged is a row of a file, or what is wrong where it should be.
type judged[T any] struct {
	row     T
	problem error
}

// tolerant makes rows of the errors among rows, for walks that go on after damage.
type tolerant[T any] struct {
	rows   iter.Seq2[T, error]
	damage error // the first
}

func (t *tolerant[T]) all() iter.Seq2[judged[T], error] {
	return func(yield func(judged[T], error) bool) {
		for row, err := range t.rows {
			if t.damage == nil {
				t.damage = err
			}
			if !yield(judged[T]{row, err}, nil) {
				return
			}
		}
	}
}

// problemColumn says what is wrong.
func problemColumn[T any]() column[judged[T]] {
	return column[judged[T]]{name: "problem", title: "problem", value: func(j judged[T]) any {
		if damage, ok := errors.AsType[*corrupt.Error](j.problem); ok {
			return damage.Reason
		}
		if j.problem != nil {
			return j.problem.Error()
		}
		return nil
	}}
}
