package db

import (
	"siftdb/internal/commit"
	"siftdb/internal/key"
)

// Put gives key a value, nil being the empty value. Both are copied before it returns. It returns when the write
// is on disk, unless NoSync is set for it or for the store; after an error the write did not happen, unless the
// error is ErrUndetermined.
func (db *DB) Put(key, value []byte, opts ...WriteOption) error {
	return db.writeOne(OpPut, key, value, db.durability(opts))
}

// Delete removes key, which need not be there. It returns as Put does.
func (db *DB) Delete(key []byte, opts ...WriteOption) error {
	return db.writeOne(OpDelete, key, nil, db.durability(opts))
}

func (db *DB) writeOne(kind OpKind, user, value []byte, when durability) error {
	if err := checkOp(len(user), len(value)); err != nil || db.opts.ReadOnly {
		return db.notTaken(err)
	}
	r := db.commits.request()
	r.ops = commit.AppendWrite(r.ops[:0], key.Kind(kind), user, value)
	r.count, r.durability, r.err = 1, when, nil
	err := db.commit(r)
	if cap(r.ops) > 64<<10 {
		r.ops = nil
	}
	db.commits.done.Put(r)
	return err
}

// Apply carries out a batch: after a crash, too, all of it is there or nothing. The batch is read during the
// call only and stays as it is. A batch over a limit is ErrTooLarge, and nothing was written; an empty batch, or nil,
// does nothing.
func (db *DB) Apply(b *Batch, opts ...WriteOption) error {
	if b == nil {
		b = new(Batch)
	}
	if err := b.check(); err != nil || b.count == 0 || db.opts.ReadOnly {
		return db.notTaken(err)
	}
	r := &request{ops: b.ops, count: b.count, durability: db.durability(opts), turn: make(chan bool, 1)}
	return db.commit(r)
}

// Sync makes all writes that have returned durable.
func (db *DB) Sync() error {
	if db.opts.ReadOnly || db.closed.Load() {
		return db.unlessClosed(nil)
	}
	if err := db.log.Sync(); err != nil {
		return db.unlessClosed(logFailure(err))
	}
	return nil
}

// notTaken is the error of a write that is not tried: that of a closed store, of a read-only one, or else err.
func (db *DB) notTaken(err error) error {
	if db.opts.ReadOnly {
		err = ErrReadOnly
	}
	return db.unlessClosed(err)
}
