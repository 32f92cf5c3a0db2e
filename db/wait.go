package db

import "context"

// All who wait for another state of the store sleep on DB.changed, and look again when it is signalled.

// wake makes them look.
func (db *DB) wake() {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.changed.Broadcast()
}

// waitUntil waits until done says so of the current view, under DB.mu; until done gives an error, the context
// ends or the store is closed.
func (db *DB) waitUntil(ctx context.Context, done func(v *view) (bool, error)) error {
	defer context.AfterFunc(ctx, db.wake)()
	db.mu.Lock()
	defer db.mu.Unlock()
	for {
		v := db.view.Load()
		if v == nil || db.closed.Load() {
			return ErrClosed
		}
		if ok, err := done(v); ok || err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		db.changed.Wait()
	}
}

// whileOpen calls fn with a context that ends when ctx does or the store closes, and returns its error, or ErrClosed.
func (db *DB) whileOpen(ctx context.Context, fn func(context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(db.work, cancel)()
	return db.unlessClosed(fn(ctx))
}

// unlessClosed is err, or ErrClosed when the store is closed.
func (db *DB) unlessClosed(err error) error {
	if db.closed.Load() {
		return ErrClosed
	}
	return err
}
