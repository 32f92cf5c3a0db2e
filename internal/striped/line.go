package striped

import "unsafe"

const (
	lineBits = 6
	// Lines is how many lines there are: so many that two goroutines seldom have the same.
	Lines = 1 << lineBits
	// LineSize is enough bytes for a cache line of most processors.
	LineSize = 64
)

// Line is the number of the calling goroutine's line, from 0 on below Lines. It goes by where the goroutine's stack
// lies: calls from the same depth of it give the same line until it moves, others mostly do.
func Line() int {
	const (
		leastStack = 11                 // bits: stacks are at least 2 KiB apart
		spread     = 0x9E3779B97F4A7C15 // D. E. Knuth, The Art of Computer Programming 3 (1973), 6.4: multiplicative hashing
	)
	var here byte
	return int(uint64(uintptr(unsafe.Pointer(&here))>>leastStack) * spread >> (64 - lineBits))
}
