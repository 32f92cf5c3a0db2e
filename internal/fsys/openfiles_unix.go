//go:build unix

package fsys

import (
	"math"
	"syscall"
)

// OpenFileLimit is how many files the process may have open at once, as the system says now; math.MaxInt where it
// does not say.
func OpenFileLimit() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return math.MaxInt
	}
	return int(min(uint64(limit.Cur), math.MaxInt))
}
