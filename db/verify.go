package db

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"

	"siftdb/internal/corrupt"
	"siftdb/sstable"
)

// Verify reads every table whole, as the store is when the loop starts: all checksums, the order of keys, the
// properties and bounds against what is there and what the manifest says, and each key against the table's filter; and
// that of each key a table holds nothing older than the tables that reads ask after it. It yields each table with nil,
// or with what is wrong; a damaged table does not keep it from the others. The error of a context that ends, or
// ErrClosed, comes last, with a zero TableInfo. It changes nothing; reads and writes may go on beside it.
//
// The manifest and the log are checked when the store is opened.
func (db *DB) Verify(ctx context.Context) iter.Seq2[TableInfo, error] {
	return func(yield func(TableInfo, error) bool) {
		v := db.pinTables()
		if v == nil {
			yield(TableInfo{}, ErrClosed)
			return
		}
		defer db.release(v, iteratorUser)
	walk:
		for level, tables := range v.tables {
			for i, t := range tables {
				err := db.verifyTable(ctx, t)
				if err == nil {
					err = db.verifyAge(ctx, t, v.readAfter(level, i, t))
				}
				if ctx.Err() != nil || db.closed.Load() {
					break walk
				}
				if !yield(t.info(level), err) {
					return
				}
			}
		}
		if err := db.unlessClosed(ctx.Err()); err != nil {
			yield(TableInfo{}, err)
		}
	}
}

// verifyTable reads t from the file, its index and properties too, though the store has them in memory.
func (db *DB) verifyTable(ctx context.Context, t *table) error {
	r, err := db.reopened(t)
	if err != nil {
		return db.noted(err)
	}
	err = r.Verify(ctx)
	if r.InFilter(err) {
		db.keeper.report(t, err)
		return err
	}
	return db.noted(err)
}

// reopened is a reader of t that has read everything anew.
func (db *DB) reopened(t *table) (*sstable.Reader, error) {
	info, err := db.fs.Stat(t.file.name)
	if err == nil && info.Size() != t.meta.Size {
		return nil, corrupt.New(t.file.name, min(info.Size(), t.meta.Size),
			"the file has %d bytes, the manifest says %d", info.Size(), t.meta.Size)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // of a missing file the reader tells
		return nil, fmt.Errorf("siftdb: opening a table: %w", err)
	}
	r, err := sstable.Open(&t.file, t.meta.Size, sstable.ReaderOptions{
		Name: t.file.name, ID: t.meta.Number, TailSize: t.meta.TailSize,
	})
	if err != nil {
		return nil, err
	}
	return r, t.holdsAgainst(r.Properties())
}

// readAfter are the tables that a read of a key of t, the i-th in its level, asks after it.
func (v *view) readAfter(level, i int, t *table) (after []*table) {
	if level == 0 {
		for _, other := range v.tables[0][i+1:] {
			if other.meta.Overlaps(t.meta.Smallest.User, t.meta.Largest.User) {
				after = append(after, other)
			}
		}
	}
	for deeper := level + 1; deeper < len(v.tables); deeper++ {
		after = append(after, v.overlapping(deeper, t.meta.Smallest.User, t.meta.Largest.User)...)
	}
	return after
}

// verifyAge checks that t holds nothing older than the tables that are read after it. What is wrong with those tables
// is told when their turn comes.
func (db *DB) verifyAge(ctx context.Context, t *table, after []*table) error {
	for _, other := range after {
		found, err := db.agesOf(ctx, t, other)
		if errors.Is(err, ErrCorrupt) {
			continue
		}
		if err != nil {
			return err
		}
		if found.age == older || found.age == mixed {
			return db.noted(corrupt.New(t.file.name, -1,
				"it holds older entries than %s, which is read after it (%v)", other.fileName(), found))
		}
	}
	return nil
}
