package main

import (
	"encoding/binary"
	"fmt"
)

const (
	keySize   = 16
	valueSize = 100 // but where it is what grows
)

// appendKey appends key number i: decimal digits, so that keys sort as their numbers do. Even numbers are written, odd
// ones never: an absent key lies between two present ones.
func appendKey(dst []byte, i int) []byte {
	at := len(dst)
	dst = append(dst, "0000000000000000"...)
	for p := at + keySize - 1; i > 0; p-- {
		dst[p] = byte('0' + i%10)
		i /= 10
	}
	return dst
}

func appendPresentKey(dst []byte, i int) []byte { return appendKey(dst, 2*i) }
func appendAbsentKey(dst []byte, i int) []byte  { return appendKey(dst, 2*i+1) }

// appendValue appends the value that key number i has after it was written version times more: half of it is random,
// the other half repeats that, so that it compresses to about one half. size is even.
func appendValue(dst []byte, i int, version uint32, size int) []byte {
	at := len(dst)
	x := uint64(i)<<32 | uint64(version)
	for len(dst) < at+size/2 {
		x = mix(x)
		dst = binary.LittleEndian.AppendUint64(dst, x)
	}
	dst = dst[:at+size/2]
	return append(dst, dst[at:]...)
}

// mix scatters the bits of a number (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// wrongValue is the error for a value that is not what was written.
func wrongValue(i int, got []byte) error {
	return fmt.Errorf("key %d has a value that was not written to it: %d bytes that begin with %x", i, len(got),
		got[:min(16, len(got))])
}
