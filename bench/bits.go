package bench

import (
	"fmt"
	"strconv"

	"siftdb/bloom"
)

// Bits is a setting of bits per key, or Off.
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

// ParseBits reads a list such as "off,2,4.5,10". What bloom.BitsPerKey does not take is an error.
func ParseBits(list string) ([]Bits, error) {
	return parseList(list, "bits per key", parseOneBits)
}

func parseOneBits(word string) (Bits, error) {
	if word == "off" {
		return Off, nil
	}
	n, err := strconv.ParseFloat(word, 64)
	if err != nil {
		return 0, fmt.Errorf("siftdb: bench: bits per key %q is neither a number nor \"off\"", word)
	}
	if err := bloom.BitsPerKey(n).Validate(); err != nil {
		return 0, fmt.Errorf("siftdb: bench: %w", err)
	}
	return Bits(n), nil
}
