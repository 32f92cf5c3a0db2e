package db

import (
	"errors"
	"fmt"

	"siftdb/internal/corrupt"
	"siftdb/wal"
)

// What a caller may want to tell apart. Compare with errors.Is; all but ErrNotFound may come wrapped, with the
// file, limit or cause in the text.
var (
	// ErrNotFound: the key is not in the store. It comes back itself, never wrapped.
	ErrNotFound = errors.New("siftdb: not found")
	// ErrClosed: the store, or the iterator or snapshot, has been closed. The call did nothing.
	ErrClosed = errors.New("siftdb: closed")
	// ErrReadOnly: the store was opened with Options.ReadOnly and the call would write.
	ErrReadOnly = errors.New("siftdb: read-only")
	// ErrLocked: another process, or this one, has the directory open.
	ErrLocked = errors.New("siftdb: locked")
	// ErrTooLarge: a key, value or batch passes its limit; nothing was written. The error is a *TooLargeError.
	ErrTooLarge = errors.New("siftdb: too large")
	// ErrCorrupt: bytes on disk are not what was written. The error is a *CorruptionError.
	ErrCorrupt = corrupt.ErrCorrupt
	// ErrNoStore: with Options.MustExist or Options.ReadOnly, the directory holds no store. It was left as it is.
	ErrNoStore = errors.New("siftdb: no store")
	// ErrRefused: the store takes no writes for now, because the disk is full or fails; the cause is wrapped.
	// Reads go on, and writes are taken again when the cause is gone. After a failed fsync, whose cause cannot
	// go away, only reopening helps.
	ErrRefused = errors.New("siftdb: writes refused")
	// ErrUndetermined: the write failed after all of it had been handed to the disk; it may or may not be there
	// until the next successful sync or reopen. The cause is wrapped. It is not ErrRefused, which means that the
	// write did not happen.
	ErrUndetermined = wal.ErrUndetermined
)

// CorruptionError says which file of the store is damaged or missing, where, and what was expected. It comes as
// a pointer; errors.Is finds ErrCorrupt in it.
type CorruptionError = corrupt.Error

// TooLargeError names the limit that a key, value or batch passes.
type TooLargeError struct {
	What  string // "key", "value" or "batch"
	Size  int64  // bytes
	Limit int64  // bytes, the largest size allowed
}

// Error names what is too large, its size and the limit in bytes.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("siftdb: too large: %s of %d bytes, the limit is %d", e.What, e.Size, e.Limit)
}

// Is makes errors.Is(err, ErrTooLarge) true.
func (e *TooLargeError) Is(target error) bool { return target == ErrTooLarge }

// LeakError counts what Close found open and closed.
type LeakError struct{ Iterators, Snapshots int }

// Error says how many iterators and snapshots were open.
func (e *LeakError) Error() string {
	return fmt.Sprintf("siftdb: closed with %d iterators and %d snapshots still open", e.Iterators, e.Snapshots)
}

// OptionError says which option has a value that cannot be used, and what is allowed.
type OptionError struct {
	Option string // the field of Options, or dir, or bits per key of SetBitsPerKey
	Reason string
	Err    error // the cause, where a lower layer found the fault
}

// Error names the option and what is allowed.
func (e *OptionError) Error() string { return "siftdb: option " + e.Option + ": " + e.Reason }

// Unwrap returns Err, which may be nil.
func (e *OptionError) Unwrap() error { return e.Err }

// LockedError says which directory is locked and, where known, by which process.
type LockedError struct {
	Dir string
	PID int // 0 when unknown
}

// Error names the directory and, where known, the process that has it open.
func (e *LockedError) Error() string {
	if e.PID == 0 {
		return "siftdb: locked: " + e.Dir + " is open elsewhere"
	}
	return fmt.Sprintf("siftdb: locked: %s is open in process %d", e.Dir, e.PID)
}

// Is makes errors.Is(err, ErrLocked) true.
func (e *LockedError) Is(target error) bool { return target == ErrLocked }

// refusal is a write that the store would not take; cause says why.
func refusal(cause error) error { return fmt.Errorf("%w: %w", ErrRefused, cause) }

// logFailure is what becomes of an error of the log: the writes that it is about were refused, unless nobody knows.
func logFailure(err error) error {
	if errors.Is(err, ErrUndetermined) {
		return err
	}
	return refusal(err)
}
