package fsys

import (
	"errors"
	"syscall"
)

// Numbers from winerror.h that package syscall does not name.
const (
	errorSharingViolation = syscall.Errno(32)
	errorLockViolation    = syscall.Errno(33)
	errorUserMappedFile   = syscall.Errno(1224)
)

// heldElsewhere says that a file could not be made, renamed or removed because another program has it open. While
// a removed file is still open somewhere, its name answers "access denied".
func heldElsewhere(err error) bool {
	var number syscall.Errno
	if !errors.As(err, &number) {
		return false
	}
	switch number {
	case errorSharingViolation, errorLockViolation, errorUserMappedFile, syscall.ERROR_ACCESS_DENIED:
		return true
	}
	return false
}
