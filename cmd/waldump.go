package cmd

import (
	"errors"
	"iter"

	"github.com/spf13/cobra"

	"siftdb/internal/commit"
	"siftdb/internal/corrupt"
	"siftdb/internal/fsys"
	"siftdb/internal/key"
	"siftdb/wal"
)

// walDumpFlags are the flags of wal dump.
type walDumpFlags struct {
	keys, values byteForm
	writes       bool
	format       outputFormat
}

func newWALDumpCommand() *cobra.Command {
	f := &walDumpFlags{}
	c := &cobra.Command{
		Use:   "dump FILE",
		Short: "Print the records of a log file",
		Long: `Print the records of a log file with their offsets: commit groups with their sequence
numbers and, with --writes, each put and delete in them. Bytes that are no record are
printed as such, and what comes after them all the same; the exit code is 4 then. That
may be damage, or only the end of what was being written when the power went: opening
the store decides it.`,
		Example:           "  siftdb wal dump fruit/000003.wal --writes",
		Args:              arguments,
		ValidArgsFunction: filesNamed("wal"),
		RunE:              f.run,
	}
	addKeysFlag(c, &f.keys)
	addValuesFlag(c, &f.values)
	c.Flags().BoolVar(&f.writes, "writes", false, "print each put and delete")
	addOutputFlag(c, &f.format)
	return c
}

func (f *walDumpFlags) run(c *cobra.Command, given []string) error {
	// To a store a missing log is damage; here it may be a typing error.
	if err := lookForFile(given[0], "is a directory, not a log segment"); err != nil {
		return err
	}
	d := &logDump{name: given[0], writes: f.writes}
	columns := recordColumns()
	if f.writes {
		columns = f.writeColumns()
	}
	err := writeListing(c.OutOrStdout(), f.format, columns, until(c.Context(), d.rows()))
	return errors.Join(err, d.damage)
}

// logDump walks over a log file. The first damage is kept, and the walk goes on.
type logDump struct {
	name   string
	writes bool
	damage error
}

// logRow is a record or, where writes are asked for, one write in it.
type logRow struct {
	wal.Entry
	group commit.Group // of a group, unless reason says why it cannot be read
	// reason says what is wrong with the record, if anything.
	reason string
	// isWrite: the row is write, with its sequence number.
	isWrite bool
	seq     key.Seq
	write   commit.Write
}

// errEnoughRows ends a walk that nobody follows any more.
var errEnoughRows = errors.New("siftdb: enough rows")

func (d *logDump) rows() iter.Seq2[logRow, error] {
	return func(yield func(logRow, error) bool) {
		_, err := wal.Dump(fsys.OS, d.name, func(e wal.Entry) error {
			for row := range d.rowsOf(e) {
				if !yield(row, nil) {
					return errEnoughRows
				}
			}
			return nil
		})
		if err != nil && err != errEnoughRows {
			yield(logRow{}, err)
		}
	}
}

// rowsOf gives the rows of one record.
func (d *logDump) rowsOf(e wal.Entry) iter.Seq[logRow] {
	return func(yield func(logRow) bool) {
		row := logRow{Entry: e, reason: e.Reason}
		if e.Kind == wal.EntryGroup {
			var err error
			if row.group, err = commit.ParseGroup(e.Group); err != nil {
				row.reason = err.Error()
			}
		}
		if row.reason != "" && d.damage == nil {
			d.damage = corrupt.New(d.name, e.Offset, "%s", row.reason)
		}
		if !d.writes || row.reason != "" || e.Kind != wal.EntryGroup {
			yield(row)
			return
		}
		row.isWrite = true
		for row.seq, row.write = range row.group.All() {
			if !yield(row) {
				return
			}
		}
	}
}

func recordColumns() []column[logRow] {
	type R = logRow
	ofGroup := func(of func(R) any) func(R) any {
		return func(r R) any {
			if r.Kind != wal.EntryGroup || r.reason != "" {
				return nil
			}
			return of(r)
		}
	}
	return []column[R]{
		{name: "offset", title: "offset", value: func(r R) any { return r.Offset }},
		{name: "length", title: "length", value: func(r R) any { return r.Length }},
		{name: "kind", title: "kind", value: func(r R) any { return r.Kind.String() }},
		{name: "synced_to", title: "synced to", value: func(r R) any {
			if r.Kind == wal.EntryUnreadable {
				return nil
			}
			return r.SyncedTo
		}},
		{name: "first_sequence", title: "first seq", value: ofGroup(func(r R) any { return uint64(r.group.First) })},
		{name: "writes", title: "writes", value: ofGroup(func(r R) any { return r.group.Count })},
		{name: "problem", title: "problem", value: func(r R) any { return textOrNil(r.reason) }},
	}
}

func (f *walDumpFlags) writeColumns() []column[logRow] {
	type R = logRow
	ofWrite := func(of func(R) any) func(R) any {
		return func(r R) any {
			if !r.isWrite {
				return nil
			}
			return of(r)
		}
	}
	return []column[R]{
		{name: "offset", title: "offset", value: func(r R) any { return r.Offset }},
		{name: "sequence", title: "seq", value: ofWrite(func(r R) any { return uint64(r.seq) })},
		{name: "kind", title: "kind", value: func(r R) any {
			switch {
			case !r.isWrite:
				return r.Kind.String()
			case r.write.Kind == key.KindDelete:
				return "delete"
			}
			return "put"
		}},
		{name: "key", title: "key", value: ofWrite(func(r R) any { return f.keys.show(r.write.Key) })},
		{name: "value", title: "value", value: ofWrite(func(r R) any {
			if r.write.Kind == key.KindDelete {
				return nil
			}
			return f.values.show(r.write.Value)
		})},
		{name: "problem", title: "problem", value: func(r R) any { return textOrNil(r.reason) }},
	}
}
