package db

import (
	"context"
	"iter"
)

// Verify reads every table whole, as the store is when the loop starts: all checksums, the order of keys, the
// properties, and each key against the table's filter. It yields each table with nil, or with what is wrong; a
// damaged table does not keep it from the others. The error of a context that ends, or ErrClosed, comes last, with a
// zero TableInfo. It changes nothing; reads and writes may go on beside it.
func (db *DB) Verify(ctx context.Context) iter.Seq2[TableInfo, error] {
	return func(yield func(TableInfo, error) bool) {
		v := db.acquire(iteratorUser)
		if v == nil {
			yield(TableInfo{}, ErrClosed)
			return
		}
		defer db.release(v, iteratorUser)
	walk:
		for level, tables := range v.tables {
			for _, t := range tables {
				err := db.verifyTable(ctx, t)
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

// verifyTable reads t from the file. That it is what the manifest says was seen when it was opened.
func (db *DB) verifyTable(ctx context.Context, t *table) error {
	r, err := db.tables.reader(t)
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
