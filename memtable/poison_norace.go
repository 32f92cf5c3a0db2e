//go:build !race

package memtable

// poison is for builds with the race detector.
func poison([]byte) {}
