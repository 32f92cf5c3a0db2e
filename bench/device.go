package bench

import (
	"strings"
	"sync/atomic"
	"time"

	"siftdb/db"
)

// device is a file system whose table files answer late: each read of one takes latency longer, as on a slower
// disk. It counts the table files that are made. Many goroutines; each waits for itself, as on a device that takes
// requests side by side.
type device struct {
	db.FS
	latency atomic.Int64 // nanoseconds
	created atomic.Int64 // table files
}

func newDevice(fs db.FS) *device { return &device{FS: fs} }

// setLatency changes how late reads answer from now on, on open files too.
func (d *device) setLatency(latency time.Duration) { d.latency.Store(int64(latency)) }

func (d *device) Create(name string) (db.File, error) {
	f, err := d.FS.Create(name)
	if strings.HasSuffix(name, tableSuffix) {
		d.created.Add(1)
	}
	return d.wrap(name, f), err
}

func (d *device) Open(name string) (db.File, error) {
	f, err := d.FS.Open(name)
	return d.wrap(name, f), err
}

func (d *device) wrap(name string, f db.File) db.File {
	if f == nil || !strings.HasSuffix(name, tableSuffix) {
		return f
	}
	return &lateFile{File: f, device: d}
}

// tableSuffix ends the names of table files.
const tableSuffix = ".sst"

// lateFile is a table file of a device.
type lateFile struct {
	db.File
	device *device
}

func (f *lateFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.File.ReadAt(p, off)
	pause(time.Duration(f.device.latency.Load()))
	return n, err
}
