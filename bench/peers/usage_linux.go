package main

import (
	"bytes"
	"fmt"
	"os"
	"syscall"
	"time"
)

func usageNow() (u usage) {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) == nil {
		u.cpu = time.Duration(r.Utime.Nano() + r.Stime.Nano())
	}
	counters := map[string]*int64{"syscr": &u.readCalls, "read_bytes": &u.diskReadBytes, "wchar": &u.writtenBytes,
		"write_bytes": &u.dirtiedBytes}
	text, err := os.ReadFile("/proc/self/io")
	if err != nil {
		return u // the counters are then zero in all rows, which nobody takes for a result
	}
	for line := range bytes.Lines(text) {
		name, value, _ := bytes.Cut(line, []byte(": "))
		if counter, wanted := counters[string(name)]; wanted {
			fmt.Sscan(string(value), counter)
		}
	}
	return u
}

// bytesOnDisk is what a file takes on the disk: stores make files larger than what they hold.
func bytesOnDisk(info os.FileInfo) int64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return min(info.Size(), s.Blocks*512)
	}
	return info.Size()
}

// residentNow is the resident memory of the process in bytes, and the most since resetPeak; pages of mapped files
// count.
func residentNow() (now, peak int64) {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, 0
	}
	sizes := map[string]*int64{"VmRSS": &now, "VmHWM": &peak}
	for line := range bytes.Lines(text) {
		name, value, _ := bytes.Cut(line, []byte(":"))
		if size, wanted := sizes[string(name)]; wanted {
			fmt.Sscan(string(value), size)
		}
	}
	return now << 10, peak << 10
}

// resetPeak has the peak of resident memory begin anew. Where that is not allowed, peaks are those since the process
// began.
func resetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

// kernel is the version of the system's kernel.
func kernel() string {
	text, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		return "unknown"
	}
	return string(bytes.TrimSpace(text))
}

// dropFileCache makes the system forget what it has of all files. Only root may.
func dropFileCache() error {
	syscall.Sync()
	return os.WriteFile("/proc/sys/vm/drop_caches", []byte("1"), 0)
}
