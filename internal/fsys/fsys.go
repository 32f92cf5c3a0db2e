package fsys

import (
	"io"
	"io/fs"
)

// FS is a file system. Names are paths as the operating system writes them. Errors are those of package os:
// errors.Is finds fs.ErrNotExist, fs.ErrExist, fs.ErrPermission and the system's error numbers in them. Several
// goroutines may call it.
type FS interface {
	// Create opens name for reading and writing, emptied if it exists. The file's entry in its directory is
	// durable only after SyncDir.
	Create(name string) (File, error)
	// Open opens an existing file for reading.
	Open(name string) (File, error)
	// Rename moves a file, replacing newname. It is durable only after SyncDir of both directories.
	Rename(oldname, newname string) error
	// Remove removes a file.
	Remove(name string) error
	// MkdirAll makes a directory and its missing parents, and makes their entries durable.
	MkdirAll(dir string) error
	// List returns the names (without the directory) of what dir holds, sorted.
	List(dir string) ([]string, error)
	// Stat describes a file or directory.
	Stat(name string) (fs.FileInfo, error)
	// SyncDir makes the entries of dir durable: creations, renames, removals.
	SyncDir(dir string) error
	// Lock takes the lock that the file name stands for, without waiting; Close gives it back. A lock that is
	// held elsewhere, by this process or another, is ErrLocked.
	Lock(name string, mode LockMode) (io.Closer, error)
}

// File is an open file. ReadAt and WriteAt may be called by several goroutines at once, also beside Sync; Close
// only once.
type File interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	// Sync makes the file's content and size durable. After it has failed once, what the file holds on disk is
	// unknown: it must not be retried.
	Sync() error
	// Stat describes the file.
	Stat() (fs.FileInfo, error)
}

// LockMode says with whom a lock can be shared.
type LockMode uint8

const (
	// LockExclusive is held by one holder alone; the lock file is made if it is missing.
	LockExclusive LockMode = iota
	// LockShared is held by any number of sharers. Where the lock file is missing and cannot be made, Lock
	// succeeds without one.
	LockShared
)
