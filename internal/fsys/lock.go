package fsys

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strconv"

	"github.com/gofrs/flock"
)

// ErrLocked is what errors.Is finds in every *LockError.
var ErrLocked = errors.New("siftdb: locked")

// LockError says that a lock is held elsewhere, by this process or another.
type LockError struct {
	// Name is the path of the lock file.
	Name string
	// PID is the process that holds it, as far as the lock file tells; 0 when it does not.
	PID int
}

// Error names the lock and, where known, who holds it.
func (e *LockError) Error() string {
	switch e.PID {
	case 0:
		return fmt.Sprintf("siftdb: %s is locked by another user of the store", e.Name)
	case os.Getpid():
		return fmt.Sprintf("siftdb: %s is locked by this process, which has the store open already", e.Name)
	}
	return fmt.Sprintf("siftdb: %s is locked by process %d", e.Name, e.PID)
}

// Is makes errors.Is(err, ErrLocked) true.
func (e *LockError) Is(target error) bool { return target == ErrLocked }

// The lock file holds nothing but the process number of its exclusive holder, as text for people. It starts at
// byte 1, since Windows keeps everybody else from byte 0 while that is locked. The lock itself is the operating
// system's, on the open file: it ends with the process, however that ends, and a leftover file locks nothing.
const (
	pidOffset = 1
	pidMax    = 32
)

// lockFile takes the lock by flock or its like, which sees one file under all its names.
func lockFile(name string, mode LockMode) (io.Closer, error) {
	if mode == LockShared {
		return lockShared(name)
	}
	l := flock.New(name, flock.SetPermissions(0o644))
	ok, err := l.TryLock()
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, &LockError{Name: name, PID: holder(name)}
	}
	held := &exclusiveLock{lock: l}
	held.sign(name)
	return held, nil
}

func lockShared(name string) (io.Closer, error) {
	l := flock.New(name, flock.SetFlag(os.O_RDONLY), flock.SetPermissions(0o644))
	ok, err := l.TryRLock()
	if errors.Is(err, fs.ErrNotExist) {
		l = flock.New(name, flock.SetPermissions(0o644))
		ok, err = l.TryRLock()
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return noLock{}, nil
		}
	}
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, &LockError{Name: name, PID: readPID(name)}
	}
	return l, nil
}

// noLock is held on a disk where no lock file can be made: nobody can lock it exclusively either.
type noLock struct{}

func (noLock) Close() error { return nil }

// exclusiveLock keeps the file through which it wrote its process number open until the lock is given back: on
// systems with POSIX record locks, closing any handle of a file gives up all locks on it.
type exclusiveLock struct {
	lock *flock.Flock
	file *os.File
}

// sign writes the process number into the lock file. Where that fails, on a full disk say, the lock is held all
// the same, without a name to it.
func (l *exclusiveLock) sign(name string) {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return
	}
	l.file = f
	l.write(strconv.Itoa(os.Getpid()))
}

// write overwrites the whole field, so that nothing of a longer number before it stays.
func (l *exclusiveLock) write(text string) {
	field := bytes.Repeat([]byte{' '}, pidMax)
	copy(field, text)
	field[pidMax-1] = '\n'
	_, _ = l.file.WriteAt(field, pidOffset)
}

// Close wipes the process number and gives the lock back.
func (l *exclusiveLock) Close() error {
	if l.file == nil {
		return l.lock.Close()
	}
	l.write("")
	return errors.Join(l.lock.Close(), l.file.Close())
}

// holder finds who keeps us from an exclusive lock. When a shared lock can be had, the holders share it too, and
// a number in the file is that of a process that is gone.
func holder(name string) int {
	l := flock.New(name, flock.SetFlag(os.O_RDONLY))
	if ok, err := l.TryRLock(); err == nil && ok {
		_ = l.Close()
		return 0
	}
	return readPID(name)
}

// readPID returns 0 when the number cannot be read.
func readPID(name string) int {
	if runtime.GOOS == "aix" || runtime.GOOS == "solaris" {
		return 0 // opening and closing the file would give up this process's own lock on it
	}
	f, err := os.Open(name)
	if err != nil {
		return 0
	}
	defer f.Close()
	field := make([]byte, pidMax)
	n, _ := f.ReadAt(field, pidOffset)
	pid, err := strconv.Atoi(string(bytes.TrimSpace(field[:n])))
	if err != nil || pid < 0 {
		return 0
	}
	return pid
}
