//go:build !windows

package fsys

import (
	"errors"
	"os"
	"syscall"
)

// syncDir makes the entries of a directory durable. Some file systems (network and user-space ones) have no such
// operation and say EINVAL or ENOTSUP; they have nothing better to offer, so that is no error.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil
	}
	return errors.Join(err, d.Close())
}
