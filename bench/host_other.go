//go:build !linux

package bench

// These systems have no files that tell; asking them in other ways is not worth a dependency here.

func cpuModel() string { return unknown }

func memorySize() int64 { return 0 }

func fileSystem(string) string { return unknown }
