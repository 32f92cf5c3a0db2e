//go:build unix

package fsys

import (
	"syscall"
	"testing"
)

// TestOpenFileLimit follows the system's setting.
func TestOpenFileLimit(t *testing.T) {
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &was); err != nil {
		t.Skip(err)
	}
	lower := was
	lower.Cur = 100
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &lower); err != nil {
		t.Skip(err)
	}
	defer syscall.Setrlimit(syscall.RLIMIT_NOFILE, &was)
	if got := OpenFileLimit(); got != 100 {
		t.Errorf("%d files, the system says 100", got)
	}
}
