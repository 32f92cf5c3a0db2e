//go:build !linux

package bench

import (
	"errors"
	"runtime"
)

// canDropCache says whether dropCache works on this system.
const canDropCache = false

// dropCache fails: this system has no call for it that needs no privileges.
func dropCache(string) error {
	return errors.New("siftdb: bench: dropping the system's cache of files is not possible on " + runtime.GOOS)
}
