package bench

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"siftdb/bloom"
)

func TestParseBits(t *testing.T) {
	got, err := ParseBits("off, 2,4.5,10")
	if want := []Bits{Off, 2, 4.5, 10}; err != nil || !slices.Equal(got, want) {
		t.Fatalf("got %v, %v", got, err)
	}
	for list, want := range map[string]string{
		"":       `"" is neither a number nor`,
		"on":     `"on" is neither a number nor`,
		"2,2.0":  "twice",
		"off,0":  "twice",
		"-1":     "bits per key",
		"1000":   "bits per key",
		"NaN":    "bits per key",
		"10,,12": `"" is neither`,
	} {
		if _, err := ParseBits(list); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseBits(%q): error %v, want one with %q", list, err, want)
		}
	}
	var parameter *bloom.ParameterError
	if _, err := ParseBits("65"); !errors.As(err, &parameter) {
		t.Errorf("ParseBits(65): error %v is no ParameterError", err)
	}
}
