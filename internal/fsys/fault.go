package fsys

import (
	"errors"
	"io"
	"io/fs"
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
	"create", "open", "read", "write", "sync", "close", "rename", "remove", "sync directory", "list", "stat", "mkdir",
	"lock",
}

// String is the operation's name in words.
func (o Op) String() string { return opNames[o] }

// Hook is called before each operation, with the name of the file it is about (for Rename the new name). An error
// is returned in the operation's place, which then does not happen; except that a *ShortWrite writes a part, a
// *Late does it all, a *BitFlip spoils what is read, and that a file is closed in any case. Operations of several
// goroutines call it at the same time.
type Hook func(op Op, name string) error

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

// run carries out an operation as the hook will have it.
func (f *Fault) run(op Op, name string, do func() error) error {
	err := f.before(op, name)
	if late, ok := errors.AsType[*Late](err); ok {
		return errors.Join(late.Err, do())
	}
	if err != nil {
		return err
	}
	return do()
}

// Create implements FS.
func (f *Fault) Create(name string) (File, error) { return f.file(OpCreate, name, f.fs.Create) }

// Open implements FS.
func (f *Fault) Open(name string) (File, error) { return f.file(OpOpen, name, f.fs.Open) }

func (f *Fault) file(op Op, name string, open func(string) (File, error)) (file File, err error) {
	err = f.run(op, name, func() (err error) { file, err = open(name); return err })
	if err == nil {
		return &faultFile{File: file, fault: f, name: name}, nil
	}
	if file != nil {
		err = errors.Join(err, file.Close())
	}
	return nil, err
}

// Rename implements FS.
func (f *Fault) Rename(oldname, newname string) error {
	return f.run(OpRename, newname, func() error { return f.fs.Rename(oldname, newname) })
}

// Remove implements FS.
func (f *Fault) Remove(name string) error {
	return f.run(OpRemove, name, func() error { return f.fs.Remove(name) })
}

// MkdirAll implements FS.
func (f *Fault) MkdirAll(dir string) error {
	return f.run(OpMkdirAll, dir, func() error { return f.fs.MkdirAll(dir) })
}

// List implements FS.
func (f *Fault) List(dir string) (names []string, err error) {
	err = f.run(OpList, dir, func() (err error) { names, err = f.fs.List(dir); return err })
	return names, err
}

// Stat implements FS.
func (f *Fault) Stat(name string) (info fs.FileInfo, err error) {
	err = f.run(OpStat, name, func() (err error) { info, err = f.fs.Stat(name); return err })
	return info, err
}

// SyncDir implements FS.
func (f *Fault) SyncDir(dir string) error {
	return f.run(OpSyncDir, dir, func() error { return f.fs.SyncDir(dir) })
}

// Lock implements FS.
func (f *Fault) Lock(name string, mode LockMode) (lock io.Closer, err error) {
	err = f.run(OpLock, name, func() (err error) { lock, err = f.fs.Lock(name, mode); return err })
	if err == nil {
		return lock, nil
	}
	if lock != nil {
		err = errors.Join(err, lock.Close())
	}
	return nil, err
}

type faultFile struct {
	File
	fault *Fault
	name  string
}

func (f *faultFile) ReadAt(p []byte, off int64) (n int, err error) {
	err = f.fault.before(OpReadAt, f.name)
	flip, flips := errors.AsType[*BitFlip](err)
	if err != nil && !flips {
		return 0, err
	}
	n, err = f.File.ReadAt(p, off)
	if flips && n > 0 {
		bit := flip.Bit % (8 * n)
		p[bit/8] ^= 1 << (bit % 8)
	}
	return n, err
}

func (f *faultFile) WriteAt(p []byte, off int64) (int, error) {
	err := f.fault.before(OpWriteAt, f.name)
	if err == nil {
		return f.File.WriteAt(p, off)
	}
	reaches := 0
	if short, ok := errors.AsType[*ShortWrite](err); ok {
		reaches, err = min(short.N, len(p)), short.Err
	} else if late, ok := errors.AsType[*Late](err); ok {
		reaches, err = len(p), late.Err
	}
	if reaches == 0 {
		return 0, err
	}
	n, writing := f.File.WriteAt(p[:reaches], off)
	return n, errors.Join(err, writing)
}

func (f *faultFile) Sync() error { return f.fault.run(OpSync, f.name, f.File.Sync) }

func (f *faultFile) Stat() (info fs.FileInfo, err error) {
	err = f.fault.run(OpStat, f.name, func() (err error) { info, err = f.File.Stat(); return err })
	return info, err
}

func (f *faultFile) Close() error {
	err := f.fault.before(OpClose, f.name)
	return errors.Join(err, f.File.Close())
}
