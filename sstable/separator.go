package sstable

import "math"

// appendSeparator appends the shortest user key that is >= last and < next, or last itself when they are equal.
func appendSeparator(dst, last, next []byte) []byte {
	n := commonPrefix(last, next)
	if n == len(last) {
		return append(dst, last...) // last is the start of next, or they are equal
	}
	// last < next, so next has a byte here too, and a larger one.
	if n+1 < len(next) {
		return append(dst, next[:n+1]...)
	}
	if last[n]+1 < next[n] {
		return append(append(dst, last[:n]...), last[n]+1)
	}
	// next is last's byte plus one, and ends there: stay under it, and raise the first later byte that can be.
	for i := n + 1; i < len(last); i++ {
		if last[i] != math.MaxUint8 {
			return append(append(dst, last[:i]...), last[i]+1)
		}
	}
	return append(dst, last...)
}
