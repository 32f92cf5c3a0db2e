package db

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"siftdb/internal/striped"
)

// errCloseInside is what Close returns when it would wait for itself.
var errCloseInside = errors.New("siftdb: Close called from inside GetFunc or View")

// Close ends the store: it waits for running calls, writes the log out and gives back files and the lock. No
// goroutine is left, and later calls return ErrClosed, those of open iterators and snapshots too, and those that
// the functions of running Views make. Writes that were made without sync are kept. Files that are not needed any more
// are removed, but where that takes long the next Open does the rest.
//
// Close works once; a second one returns ErrClosed, and of two at once one. A *LeakError counts iterators and
// snapshots that were open. Called from a function of GetFunc or View, Close would wait for itself: it returns an
// error and does nothing. (So it does in a function of another store's GetFunc or View, while one of this store's
// runs elsewhere.)
func (db *DB) Close() error {
	if db.callbacks.Sum() > 0 && insideCallback() {
		return errCloseInside
	}
	if db.closed.Swap(true) {
		return ErrClosed
	}
	db.stopWork()
	db.wake() // stalled writers and waiting calls end with ErrClosed
	db.endWrites()
	db.workers.Wait()
	db.endCompactions()
	leak := db.endReads()
	db.keeper.end()
	var errs []error
	if db.log != nil {
		if err := db.log.Close(); err != nil {
			errs = append(errs, fmt.Errorf("siftdb: closing the log: %w", err))
		}
	}
	errs = append(errs, db.closeFiles())
	if leak != nil {
		errs = append(errs, leak)
	}
	return joined(errs)
}

// joined is the only error of errs as it is, or all in one.
func joined(errs []error) error {
	var some []error
	for _, err := range errs {
		if err != nil {
			some = append(some, err)
		}
	}
	if len(some) == 1 {
		return some[0]
	}
	return errors.Join(some...)
}

// enterCallback comes before the call of a function that Close would wait for, leaveCallback after it, with the line
// that enterCallback counted in: in another, leaving could stand for somebody else's.
func (db *DB) enterCallback() (line int) {
	line = striped.Line()
	db.callbacks.AddIn(line, 1)
	return line
}

func (db *DB) leaveCallback(line int) {
	db.callbacks.AddIn(line, -1)
	if db.closed.Load() {
		db.wake()
	}
}

// insideCallback says whether this goroutine is in a function called by GetFunc or View.
func insideCallback() bool {
	pcs := make([]uintptr, 256)
	for skip := 2; ; skip += len(pcs) {
		n := runtime.Callers(skip, pcs)
		if n == 0 {
			return false
		}
		frames := runtime.CallersFrames(pcs[:n])
		for more := true; more; {
			var frame runtime.Frame
			frame, more = frames.Next()
			if callsBack(frame.Function) {
				return true
			}
		}
	}
}

// callsBack says whether a function of this package is one that calls functions of the user's for which Close
// waits.
func callsBack(function string) bool {
	for _, caller := range []string{"siftdb/db.(*DB).getFunc", "siftdb/db.(*DB).View"} {
		if function == caller || strings.HasPrefix(function, caller+".") {
			return true
		}
	}
	return false
}

// endWrites waits for the group that is being committed and refuses all after it.
func (db *DB) endWrites() {
	db.alone(func() error {
		db.commits.mu.Lock()
		defer db.commits.mu.Unlock()
		db.commits.closed = true
		return nil
	})
}

// endCompactions waits for those that calls of Compact run.
func (db *DB) endCompactions() {
	db.mu.Lock()
	defer db.mu.Unlock()
	for db.manual || len(db.running) > 0 {
		db.changed.Wait()
	}
}

// dropView takes the view away, if there is one.
func (db *DB) dropView() {
	if v := db.view.Swap(nil); v != nil {
		db.release(v, callUser)
	}
}

// endReads takes the view away, waits for the calls that use one, and counts what is left open.
func (db *DB) endReads() error {
	db.dropView()
	db.mu.Lock()
	defer db.mu.Unlock()
	for db.callsLocked() || db.callbacks.Sum() > 0 {
		db.changed.Wait()
	}
	if len(db.iterators) == 0 && len(db.snapshots) == 0 {
		return nil
	}
	return &LeakError{Iterators: len(db.iterators), Snapshots: len(db.snapshots)}
}

// callsLocked says whether any call is running. DB.mu is held.
func (db *DB) callsLocked() bool {
	for v := range db.views {
		if calls(v.users.Sum()) > 0 {
			return true
		}
	}
	return false
}

// closeFiles gives back what the store holds of the system.
func (db *DB) closeFiles() error {
	var errs []error
	db.mu.Lock()
	tables := slices.Clone(db.obsolete) // views that go now append to the other
	for _, t := range db.live {
		tables = append(tables, t)
	}
	db.mu.Unlock()
	for _, t := range tables {
		errs = append(errs, db.tables.forget(t))
	}
	if db.manifest != nil {
		errs = append(errs, db.manifest.Close())
	}
	db.cache.Close()
	db.memory.Close()
	if db.lock != nil {
		errs = append(errs, db.lock.Close())
	}
	return joined(errs)
}
