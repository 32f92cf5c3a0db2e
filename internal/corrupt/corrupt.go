// Package corrupt holds the one error for bytes on disk that are not what was written: which file, where, and
// what was expected. Every reader of a format returns it; nothing in the store panics over bytes from disk.
package corrupt

import (
	"errors"
	"fmt"
)

// ErrCorrupt is what errors.Is finds in every *Error.
var ErrCorrupt = errors.New("siftdb: corruption")

// Error says that a file of the store is missing, cut short or altered. It is used as a pointer and is not
// changed once made, so several goroutines may share it.
type Error struct {
	// File is the file's path, as the store opened it.
	File string
	// Offset is the byte offset in File of what failed to check, or -1 where no offset applies (a missing file).
	Offset int64
	// Reason says what was expected and what was found.
	Reason string
}

// New makes an Error; the reason is formatted as by fmt.Sprintf.
func New(file string, offset int64, reason string, args ...any) *Error {
	return &Error{File: file, Offset: offset, Reason: fmt.Sprintf(reason, args...)}
}

// Error names the file, the offset where one is known, and what was expected.
func (e *Error) Error() string {
	if e.Offset < 0 {
		return fmt.Sprintf("siftdb: corruption: %s: %s", e.File, e.Reason)
	}
	return fmt.Sprintf("siftdb: corruption: %s at offset %d: %s", e.File, e.Offset, e.Reason)
}

// Is makes errors.Is(err, ErrCorrupt) true.
func (e *Error) Is(target error) bool { return target == ErrCorrupt }
