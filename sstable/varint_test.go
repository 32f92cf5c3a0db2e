package sstable

import (
	"encoding/binary"
	"testing"
)

func TestShortUvarint(t *testing.T) {
	r := newRand(t)
	for range 100_000 {
		want := r.Uint64() >> r.IntN(64)
		b := binary.AppendUvarint(nil, want)
		n := len(b)
		if uvarintLen(want) != n {
			t.Fatalf("%d has %d bytes, uvarintLen says %d", want, n, uvarintLen(want))
		}
		for len(b) < 8 {
			b = append(b, byte(r.Uint32())) // what follows is of no account
		}
		got, length := shortUvarint(binary.LittleEndian.Uint64(b))
		if n > 8 {
			want, n = 0, 0
		}
		if got != want || length != n {
			t.Fatalf("%x is %d in %d bytes, want %d in %d", b, got, length, want, n)
		}
	}
}

func TestUvarintPositions(t *testing.T) {
	b := []byte{5, 0x80}
	for at, want := range map[int]int{-1: -1, 0: 1, 1: -1, 2: -1, 3: -1} {
		if _, next := uvarint(b, at); next != want {
			t.Errorf("at %d: %d, want %d", at, next, want)
		}
	}
}
