package sstable

import (
	"bytes"
	"testing"
)

// All pairs of keys of up to four bytes over an alphabet that has neighbours and both ends.
func TestSeparatorsAreBetweenAndShortest(t *testing.T) {
	keys := [][]byte{{}}
	for from, length := 0, 0; length < 4; length++ {
		to := len(keys)
		for _, k := range keys[from:to] {
			for _, c := range []byte{0, 1, 2, 254, 255} {
				keys = append(keys, append(bytes.Clone(k), c))
			}
		}
		from = to
	}
	r := newRand(t)
	for range 200_000 {
		a, b := keys[r.IntN(len(keys))], keys[r.IntN(len(keys))]
		c := bytes.Compare(a, b)
		if c > 0 {
			a, b = b, a
		}
		s := appendSeparator(nil, a, b)
		if c == 0 {
			if !bytes.Equal(s, a) {
				t.Fatalf("separator of %x and itself is %x", a, s)
			}
			continue
		}
		if bytes.Compare(a, s) > 0 || bytes.Compare(s, b) >= 0 {
			t.Fatalf("separator of %x and %x is %x", a, b, s)
		}
		if len(s) > shortestBetween(a, b) {
			t.Fatalf("separator of %x and %x is %x, %d bytes do", a, b, s, shortestBetween(a, b))
		}
	}
}

// shortestBetween is the length of the shortest key that is >= a and < b: the starts of a, raised in the last byte
// or not, and those of b are the only candidates.
func shortestBetween(a, b []byte) int {
	best := len(a)
	try := func(s []byte) {
		if bytes.Compare(a, s) <= 0 && bytes.Compare(s, b) < 0 {
			best = min(best, len(s))
		}
	}
	for n := range len(a) {
		raised := bytes.Clone(a[:n+1])
		if raised[n]++; raised[n] != 0 {
			try(raised)
		}
	}
	for n := range len(b) {
		try(b[:n])
	}
	return best
}
