package bloom

import (
	"errors"
	"fmt"
)

// ErrDamaged is what errors.Is finds in a *FormatError over bytes that no writer made: cut short, altered, or with
// fields that contradict each other.
var ErrDamaged = errors.New("siftdb: filter damaged")

// ErrUnknown is what errors.Is finds in a *FormatError over a filter that is whole, but of a format, a family or a
// hash that this program does not know. A newer program may.
var ErrUnknown = errors.New("siftdb: filter unknown")

// FormatError says why bytes are not a filter that can be asked. Whoever gets it must read such a filter as "maybe".
// It is used as a pointer and not changed once made.
type FormatError struct {
	// Offset is where in the filter's bytes the fault shows.
	Offset int64
	// Reason says what was found and what was expected.
	Reason string

	kind error // ErrDamaged or ErrUnknown
}

// Error gives kind, offset and reason in one line.
func (e *FormatError) Error() string {
	return fmt.Sprintf("%v: byte %d: %s", e.kind, e.Offset, e.Reason)
}

// Unwrap returns ErrDamaged or ErrUnknown.
func (e *FormatError) Unwrap() error { return e.kind }

func damaged(offset int64, reason string, args ...any) error {
	return &FormatError{Offset: offset, Reason: fmt.Sprintf(reason, args...), kind: ErrDamaged}
}

func unknown(offset int64, reason string, args ...any) error {
	return &FormatError{Offset: offset, Reason: fmt.Sprintf(reason, args...), kind: ErrUnknown}
}

// ParameterError says that a number given to a policy or a constructor is outside its domain. It is used as a pointer
// and not changed once made.
type ParameterError struct {
	// Name is the parameter's name, with its unit.
	Name string
	// Value is what was given.
	Value float64
	// Allowed is the range in words.
	Allowed string
}

// Error names the parameter, its value and its range.
func (e *ParameterError) Error() string {
	return fmt.Sprintf("siftdb: %s is %g, allowed is %s", e.Name, e.Value, e.Allowed)
}
