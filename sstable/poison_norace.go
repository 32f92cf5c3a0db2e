//go:build !race

package sstable

// poison is for builds with the race detector.
func (m *memory) poison() {}
