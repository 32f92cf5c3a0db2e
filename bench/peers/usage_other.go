//go:build !linux

package main

import (
	"errors"
	"os"
)

// Nothing of this is known on other systems.
func usageNow() usage                    { return usage{} }
func bytesOnDisk(info os.FileInfo) int64 { return info.Size() }
func residentNow() (now, peak int64)     { return 0, 0 }
func resetPeak()                         {}
func kernel() string                     { return "unknown" }
func dropFileCache() error {
	return errors.New("this system's file cache cannot be dropped from here")
}
