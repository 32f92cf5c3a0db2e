package bench

import (
	"fmt"
	"slices"
	"strings"
)

// parseList reads a list of words with commas between them, none of them twice. what names a word in errors.
func parseList[T comparable](list, what string, parse func(word string) (T, error)) ([]T, error) {
	var out []T
	for word := range strings.SplitSeq(list, ",") {
		x, err := parse(strings.TrimSpace(word))
		if err != nil {
			return nil, err
		}
		if slices.Contains(out, x) {
			return nil, fmt.Errorf("siftdb: bench: %s %v is in the list twice", what, x)
		}
		out = append(out, x)
	}
	return out, nil
}
