//go:build !(linux || darwin || freebsd) || race

package memtable

// newChunk makes a chunk of n bytes, and says how many of them are outside the heap: none. The race detector sees the
// heap alone.
func newChunk(n int) (chunk []byte, mapped int64) { return make([]byte, n), 0 }

// freeChunk leaves a chunk of newChunk to the collector.
func freeChunk([]byte) (mapped int64) { return 0 }
