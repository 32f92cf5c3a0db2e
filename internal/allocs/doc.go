// Package allocs measures the memory that decoders take, for tests: bytes from a disk must not make a program take much
// more memory than there are of them.
package allocs

import (
	"runtime"
	"testing"
)

// Bytes is how many bytes the program allocates while fn runs, other goroutines included.
func Bytes(fn func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	fn()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Little asserts that fn allocates no more than so many times n bytes, the size of what it decodes, and spare bytes.
func Little(t testing.TB, times, n, spare int, fn func()) {
	t.Helper()
	if got, most := Bytes(fn), uint64(times*n+spare); got > most {
		t.Errorf("%d bytes of memory for %d bytes", got, n)
	}
}
