// Package fsys is the seam between the store and the file system. Everything that touches a disk goes through
// FS and File, so that tests can hold the disk in memory, cut its power, fail its n-th call, and count.
//
// It holds the interface (fsys.go), the operating system's files (os.go) with the lock on a directory (lock.go),
// writing a small file whole or not at all (atomic.go), a counter (count.go), the system's limit of open files
// (openfiles_unix.go), and two file systems for tests: a disk in memory that knows what was synced (mem.go,
// memfile.go, memcrash.go) and one that fails on demand (fault.go, failure.go). It refuses to know what the files
// hold, what they are called, and who reads them.
//
// It is the last station of all three walks: the log and the tables are written and read here, and here is
// where a read that missed every cache is counted.
//
// Of all that the store is made of, only this package calls package os.
package fsys
