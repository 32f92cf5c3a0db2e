//go:build (linux || darwin || freebsd) && !race

package offheap

import "syscall"

// Untouched says that bytes which nobody writes to take no memory, so that it costs nothing to ask for more than may be
// needed.
const Untouched = true

// mapped is n bytes of a mapping; nil when the system refuses.
func mapped(n int) []byte {
	b, err := syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil
	}
	return b
}

// unmapped ends a mapping. Bytes of the heap are in none of those that Munmap knows.
func unmapped(b []byte) bool { return syscall.Munmap(b) == nil }
