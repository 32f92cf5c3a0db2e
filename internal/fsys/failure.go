package fsys

import (
	"slices"
	"sync/atomic"
	"time"
)

// ShortWrite, returned by a Hook for OpWriteAt, lets the first N bytes through and fails with Err.
type ShortWrite struct {
	N   int
	Err error
}

// Error is the text of Err, and that a part was written.
func (e *ShortWrite) Error() string { return "short write: " + e.Err.Error() }

// Unwrap returns Err.
func (e *ShortWrite) Unwrap() error { return e.Err }

// Late, returned by a Hook, lets the operation happen and fails with Err all the same, as when the disk's answer is
// lost on the way. Of reads it is an error like any other.
type Late struct{ Err error }

// Error is the text of Err, and that the operation had happened.
func (e *Late) Error() string { return "after the fact: " + e.Err.Error() }

// Unwrap returns Err.
func (e *Late) Unwrap() error { return e.Err }

// BitFlip, returned by a Hook for OpReadAt, lets the read succeed and inverts a bit of what it gives: bit Bit, from the
// lowest of the first byte on, or where the read is shorter the remainder by its length. The file stays as it is.
type BitFlip struct{ Bit int }

// Error says what becomes of the read; no read returns it.
func (e *BitFlip) Error() string { return "a bit of what was read is inverted" }

// FailNth fails the n-th operation, counted from 1, of the given kinds (none given: of all kinds).
func FailNth(n int64, err error, ops ...Op) Hook {
	return failing(err, ops, func(call int64) bool { return call == n })
}

// FailFrom fails the n-th operation, counted from 1, of the given kinds (none given: of all kinds) and all later
// ones.
func FailFrom(n int64, err error, ops ...Op) Hook {
	return failing(err, ops, func(call int64) bool { return call >= n })
}

// failing counts the operations of the given kinds and fails those whose number is due.
func failing(err error, ops []Op, due func(call int64) bool) Hook {
	var calls atomic.Int64
	return func(op Op, _ string) error {
		if (len(ops) == 0 || slices.Contains(ops, op)) && due(calls.Add(1)) {
			return err
		}
		return nil
	}
}

// Slow lets operations of the given kinds (none given: of all kinds) happen after a pause.
func Slow(pause time.Duration, ops ...Op) Hook {
	return func(op Op, _ string) error {
		if len(ops) == 0 || slices.Contains(ops, op) {
			time.Sleep(pause)
		}
		return nil
	}
}
