package fsys

import "sync/atomic"

// Counters counts the calls that reached a set of files, and the bytes they moved. A call that failed is counted
// with the bytes it moved before it failed. Any number of files and goroutines may share one.
type Counters struct {
	Reads, BytesRead, Writes, BytesWritten, Syncs atomic.Int64
}

// Counted returns f with each call of ReadAt, WriteAt and Sync counted in c, after it has returned.
func Counted(f File, c *Counters) File { return &countedFile{File: f, c: c} }

type countedFile struct {
	File
	c *Counters
}

func (f *countedFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.File.ReadAt(p, off)
	f.c.Reads.Add(1)
	f.c.BytesRead.Add(int64(n))
	return n, err
}

func (f *countedFile) WriteAt(p []byte, off int64) (int, error) {
	n, err := f.File.WriteAt(p, off)
	f.c.Writes.Add(1)
	f.c.BytesWritten.Add(int64(n))
	return n, err
}

func (f *countedFile) Sync() error {
	err := f.File.Sync()
	f.c.Syncs.Add(1)
	return err
}
