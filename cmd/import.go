package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"siftdb/db"
)

// importFlags are the flags of import.
type importFlags struct {
	store        storeFlag
	keys, values byteForm
	filter       filterFlag
	noSync       bool
}

func newImportCommand() *cobra.Command {
	f := &importFlags{}
	c := &cobra.Command{
		Use:   "import FILE...",
		Short: "Put keys and values from files of lines",
		Long: `Put keys and values from files: on each line a key, a tab and a value. A file whose name
ends in .gz is unpacked, - is the input. The store is made if it is not there; a key
that comes again gets the later value.

A line that is not so ends the import with its number; the lines before it are in the
store.`,
		Example: `  siftdb import -d fruit fruit.tsv.gz
  siftdb export -d old --keys hex --values hex | siftdb import -d new --keys hex --values hex -`,
		Args: arguments,
		RunE: f.run,
	}
	f.store.add(c)
	addKeysFlag(c, &f.keys)
	addValuesFlag(c, &f.values)
	f.filter.add(c)
	c.Flags().BoolVar(&f.noSync, "no-sync", false,
		"wait for the disk only at the end; a crash before then may lose the last entries")
	return c
}

func (f *importFlags) run(c *cobra.Command, files []string) error {
	if err := lookForInputs(files); err != nil {
		return err
	}
	return f.store.make(c, db.Options{NoSync: f.noSync, Filter: f.filter.policy}, func(store *db.DB) error {
		im := &importer{store: store, meter: newMeter(c.ErrOrStderr(), "importing")}
		for _, name := range files {
			if err := f.file(c, im, name); err != nil {
				im.meter.end()
				return fmt.Errorf("%w; %s", err, im.kept())
			}
		}
		if err := store.Sync(); err != nil {
			im.meter.end()
			return fmt.Errorf("%w; %s", err, im.kept())
		}
		im.meter.end()
		note(c, "imported %v", im.meter)
		return nil
	})
}

// file imports one file. Its error names the file.
func (f *importFlags) file(c *cobra.Command, im *importer, name string) error {
	in, err := openInput(c, name)
	if err != nil {
		return err
	}
	defer in.Close() // it was only read
	err = im.run(c.Context(), newPairReader(in, f.keys, f.values))
	if err != nil {
		return fmt.Errorf("siftdb: %s: %w", in.name, err)
	}
	return nil
}

// importBatch is how many bytes of entries go into the store as one: enough that a sync for each costs little.
const importBatch = 1 << 20

// importer puts the entries of files into a store, in batches.
type importer struct {
	store *db.DB
	batch db.Batch
	meter *meter
}

// run imports all lines. Where one is wrong, those before it are imported.
func (im *importer) run(ctx context.Context, lines *pairReader) error {
	for {
		key, value, err := lines.next()
		if err == io.EOF {
			return im.apply()
		}
		if err == nil {
			err = checkSizes(lines.line, key, value)
		}
		if err != nil {
			return errors.Join(err, im.apply())
		}
		im.batch.Put(key, value)
		if im.batch.Size() >= importBatch {
			if err := errors.Join(im.apply(), ctx.Err()); err != nil {
				return err
			}
		}
	}
}

// checkSizes finds what the store would refuse a whole batch for.
func checkSizes(line int, key, value []byte) error {
	if len(key) > db.MaxKeySize {
		return fmt.Errorf("line %d: a key of %s bytes, the limit is %s",
			line, humanize.Comma(int64(len(key))), humanize.Comma(db.MaxKeySize))
	}
	if len(value) > db.MaxValueSize {
		return fmt.Errorf("line %d: a value of %s bytes, the limit is %s",
			line, humanize.Comma(int64(len(value))), humanize.Comma(db.MaxValueSize))
	}
	return nil
}

// apply writes the batch.
func (im *importer) apply() error {
	if err := im.store.Apply(&im.batch); err != nil {
		return err
	}
	for op := range im.batch.Ops() {
		im.meter.add(len(op.Key) + len(op.Value))
	}
	im.batch.Reset()
	return nil
}

// kept says what is in the store when the import failed. Without a sync for each batch, the disk may have failed for
// batches that the store had taken.
func (im *importer) kept() string {
	n := im.meter.entries
	switch durable := im.store.Sync() == nil; {
	case n == 0:
		return "nothing is imported"
	case !durable:
		return fmt.Sprintf("of the entries before, %s in number, the last may be missing", humanize.Comma(n))
	case n == 1:
		return "the entry before is imported"
	}
	return fmt.Sprintf("the %s entries before are imported", humanize.Comma(n))
}
