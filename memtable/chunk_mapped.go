//go:build (linux || darwin || freebsd) && !race

package memtable

import "syscall"

// smallestMapping is the size in bytes from which on a chunk is mapped: smaller ones would take a page each on some
// machines, and many mappings.
const smallestMapping = 64 << 10

// newChunk makes a chunk of n bytes, and says how many of them are outside the heap. A system that refuses gets the
// heap asked, which knows what to do when there is no memory.
func newChunk(n int) (chunk []byte, mapped int64) {
	if n >= smallestMapping {
		chunk, err := syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
		if err == nil {
			return chunk, int64(n)
		}
	}
	return make([]byte, n), 0
}

// freeChunk gives a chunk of newChunk back, and says how many bytes of it were outside the heap. One that is on the
// heap is in none of the mappings that Munmap knows, and left to the collector.
func freeChunk(chunk []byte) (mapped int64) {
	if len(chunk) < smallestMapping || syscall.Munmap(chunk) != nil {
		return 0
	}
	return int64(len(chunk))
}
