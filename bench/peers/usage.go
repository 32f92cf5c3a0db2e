package main

import "time"

// usage is what the process has used so far, by the system's counters.
type usage struct {
	cpu           time.Duration
	readCalls     int64
	diskReadBytes int64 // from the disk, through mapped files, too
	writtenBytes  int64 // by calls
	dirtiedBytes  int64 // of pages of files that became due to be written, mapped ones, too
}

func (u usage) minus(earlier usage) usage {
	return usage{
		cpu:           u.cpu - earlier.cpu,
		readCalls:     u.readCalls - earlier.readCalls,
		diskReadBytes: u.diskReadBytes - earlier.diskReadBytes,
		writtenBytes:  u.writtenBytes - earlier.writtenBytes,
		dirtiedBytes:  u.dirtiedBytes - earlier.dirtiedBytes,
	}
}
