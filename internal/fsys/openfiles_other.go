//go:build !unix

package fsys

import "math"

// OpenFileLimit is how many files the process may have open at once: the system sets none.
func OpenFileLimit() int { return math.MaxInt }
