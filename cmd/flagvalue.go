package cmd

import (
	"fmt"
	"math"
	"strings"

	"github.com/dustin/go-humanize"
)

// byteSize is a flag of a number of bytes, such as 64MiB, 1.5GB, 0 or none.
type byteSize int64

func (b *byteSize) String() string {
	if *b == 0 {
		return "none"
	}
	return humanize.IBytes(uint64(*b))
}

// Set takes a size with a unit, or "none" for 0.
func (b *byteSize) Set(word string) error {
	if word == "none" {
		*b = 0
		return nil
	}
	n, err := humanize.ParseBytes(word)
	if err != nil || n > math.MaxInt64 {
		return fmt.Errorf("%q is no size in bytes, such as 64MiB or none", word)
	}
	*b = byteSize(n)
	return nil
}

// Type is how help names the flag's values.
func (b *byteSize) Type() string { return "bytes" }

// count is a flag of a whole number, such as 500000, 500k or 2M.
type count int

func (n *count) String() string { return fmt.Sprint(int(*n)) }

// Set takes a number with an SI prefix or without.
func (n *count) Set(word string) error {
	x, unit, err := humanize.ParseSI(strings.ReplaceAll(word, "_", ""))
	if err != nil || unit != "" || x < 0 || x > math.MaxInt32 || x != math.Trunc(x) {
		return fmt.Errorf("%q is no whole number up to %d, such as 500000, 500k or 2M", word, math.MaxInt32)
	}
	*n = count(x)
	return nil
}

// Type is how help names the flag's values.
func (n *count) Type() string { return "count" }
