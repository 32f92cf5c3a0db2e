package bench

import (
	"fmt"
	"strconv"
	"strings"

	"siftdb/bloom"
)

// Bits is the filter setting of a row: bits per key, or Off.
type Bits float64

// Off is the setting without filters.
const Off Bits = 0

// String is "off" or the number.
func (b Bits) String() string {
	if b == Off {
		return "off"
	}
	return strconv.FormatFloat(float64(b), 'f', -1, 64)
}

// Policy is the filter policy that gives tables so many bits per key.
func (b Bits) Policy() bloom.Policy {
	if b == Off {
		return bloom.None
	}
	return bloom.BitsPerKey(float64(b))
}

// ParseBits reads a list such as "off,2,4.5,10". What bloom.BitsPerKey does not take is an error.
func ParseBits(list string) ([]Bits, error) {
	var out []Bits
	seen := map[Bits]bool{}
	for word := range strings.SplitSeq(list, ",") {
		b, err := parseOneBits(strings.TrimSpace(word))
		if err != nil {
			return nil, err
		}
		if seen[b] {
			return nil, fmt.Errorf("siftdb: bench: bits per key %s is in the list twice", b)
		}
		seen[b] = true
		out = append(out, b)
	}
	return out, nil
}

func parseOneBits(word string) (Bits, error) {
	if word == "off" {
		return Off, nil
	}
	n, err := strconv.ParseFloat(word, 64)
	if err != nil {
		return 0, fmt.Errorf("siftdb: bench: bits per key %q is neither a number nor \"off\"", word)
	}
	b := Bits(n)
	if err := b.Policy().Validate(); err != nil {
		return 0, fmt.Errorf("siftdb: bench: bits per key: %w", err)
	}
	return b, nil
}
