//go:build !linux

package main

import (
	"errors"
	"os"
	"time"
)

// usage is not known on this system.
type usage struct {
	cpu                                               time.Duration
	readCalls, readBytes, diskReadBytes, writtenBytes int64
}

func usageNow() usage                    { return usage{} }
func bytesOnDisk(info os.FileInfo) int64 { return info.Size() }

func residentNow() int64   { return 0 }
func dropFileCache() error { return errors.New("this system's file cache cannot be dropped from here") }
