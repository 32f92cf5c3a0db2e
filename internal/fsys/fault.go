package fsys

import (
	"errors"
	"io"
	"io/fs"
	"slices"
	"sync"
	"sync/atomic"
)

// Op is one kind of call on FS or File.
type Op uint8

// The operations that a Hook hears of. OpStat is that of FS and of File; giving back a lock is none.
const (
	OpCreate Op = iota
	OpOpen
	OpReadAt
	OpWriteAt
	OpSync
	OpClose
	OpRename
	OpRemove
	OpSyncDir
	OpList
	OpStat
	OpMkdirAll
	OpLock
)

var opNames = [...]string{
	"create", "open", "read", "write", "sync", "close", "rename", "remove", "sync directory", "list", "stat", "mkdir", "lock",
}

func (o Op) String() string { return opNames[o] }

// Hook is called before each operation, with the name of the file it is about (for Rename the new name). An error
// is returned in the operation's place, which then does not happen, except that a *ShortWrite writes a part, and
// that a file is closed in any case. Operations of several goroutines call it at the same time.
type Hook func(op Op, name string) error

// ShortWrite, returned by a Hook for OpWriteAt, lets the first N bytes through and fails with Err.
type ShortWrite struct {
	N   int
	Err error
}

func (e *ShortWrite) Error() string { return "short write: " + e.Err.Error() }

// Unwrap returns Err.
func (e *ShortWrite) Unwrap() error { return e.Err }

// FailNth fails the n-th operation, counted from 1, of the given kinds (none given: of all kinds).
func FailNth(n int64, err error, ops ...Op) Hook {
	return failing(err, ops, func(call int64) bool { return call == n })
}

// FailFrom fails the n-th operation, counted from 1, of the given kinds (none given: of all kinds) and all later
// ones.
func FailFrom(n int64, err error, ops ...Op) Hook {
	return failing(err, ops, func(call int64) bool { return call >= n })
}

// failing counts the operations of the given kinds and fails those whose number is due.
func failing(err error, ops []Op, due func(call int64) bool) Hook {
	var calls atomic.Int64
	return func(op Op, _ string) error {
		if (len(ops) == 0 || slices.Contains(ops, op)) && due(calls.Add(1)) {
			return err
		}
		return nil
	}
}

// Fault is a file system that fails on demand, for tests. Any number of goroutines may use it.
type Fault struct {
	fs    FS
	calls atomic.Int64
	mu    sync.RWMutex
	hook  Hook
}

// NewFault returns fs with a hook before each operation; at first there is none.
func NewFault(fs FS) *Fault { return &Fault{fs: fs} }

// SetHook replaces the hook; nil takes it away. Files that are open already hear of it too.
func (f *Fault) SetHook(h Hook) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.hook = h
}

// Calls is the number of operations so far, failed ones included.
func (f *Fault) Calls() int64 { return f.calls.Load() }

func (f *Fault) before(op Op, name string) error {
	f.calls.Add(1)
	f.mu.RLock()
	hook := f.hook
	f.mu.RUnlock()
	if hook == nil {
		return nil
	}
	return hook(op, name)
}

// Create implements FS.
func (f *Fault) Create(name string) (File, error) {
	if err := f.before(OpCreate, name); err != nil {
		return nil, err
	}
	file, err := f.fs.Create(name)
	return f.wrap(name, file, err)
}

// Open implements FS.
func (f *Fault) Open(name string) (File, error) {
	if err := f.before(OpOpen, name); err != nil {
		return nil, err
	}
	file, err := f.fs.Open(name)
	return f.wrap(name, file, err)
}

func (f *Fault) wrap(name string, file File, err error) (File, error) {
	if err != nil {
		return nil, err
	}
	return &faultFile{File: file, fault: f, name: name}, nil
}

// Rename implements FS.
func (f *Fault) Rename(oldname, newname string) error {
	if err := f.before(OpRename, newname); err != nil {
		return err
	}
	return f.fs.Rename(oldname, newname)
}

// Remove implements FS.
func (f *Fault) Remove(name string) error {
	if err := f.before(OpRemove, name); err != nil {
		return err
	}
	return f.fs.Remove(name)
}

// MkdirAll implements FS.
func (f *Fault) MkdirAll(dir string) error {
	if err := f.before(OpMkdirAll, dir); err != nil {
		return err
	}
	return f.fs.MkdirAll(dir)
}

// List implements FS.
func (f *Fault) List(dir string) ([]string, error) {
	if err := f.before(OpList, dir); err != nil {
		return nil, err
	}
	return f.fs.List(dir)
}

// Stat implements FS.
func (f *Fault) Stat(name string) (fs.FileInfo, error) {
	if err := f.before(OpStat, name); err != nil {
		return nil, err
	}
	return f.fs.Stat(name)
}

// SyncDir implements FS.
func (f *Fault) SyncDir(dir string) error {
	if err := f.before(OpSyncDir, dir); err != nil {
		return err
	}
	return f.fs.SyncDir(dir)
}

// Lock implements FS.
func (f *Fault) Lock(name string, mode LockMode) (io.Closer, error) {
	if err := f.before(OpLock, name); err != nil {
		return nil, err
	}
	return f.fs.Lock(name, mode)
}

type faultFile struct {
	File
	fault *Fault
	name  string
}

func (f *faultFile) ReadAt(p []byte, off int64) (int, error) {
	if err := f.fault.before(OpReadAt, f.name); err != nil {
		return 0, err
	}
	return f.File.ReadAt(p, off)
}

func (f *faultFile) WriteAt(p []byte, off int64) (int, error) {
	err := f.fault.before(OpWriteAt, f.name)
	if short := (*ShortWrite)(nil); errors.As(err, &short) {
		n, err := f.File.WriteAt(p[:min(short.N, len(p))], off)
		return n, errors.Join(short.Err, err)
	}
	if err != nil {
		return 0, err
	}
	return f.File.WriteAt(p, off)
}

func (f *faultFile) Sync() error {
	if err := f.fault.before(OpSync, f.name); err != nil {
		return err
	}
	return f.File.Sync()
}

func (f *faultFile) Stat() (fs.FileInfo, error) {
	if err := f.fault.before(OpStat, f.name); err != nil {
		return nil, err
	}
	return f.File.Stat()
}

func (f *faultFile) Close() error {
	err := f.fault.before(OpClose, f.name)
	return errors.Join(err, f.File.Close())
}
