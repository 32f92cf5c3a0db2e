package cmd

import (
	"errors"
	"strings"

	"siftdb/internal/corrupt"
)

// reasonOf is what is wrong, for a row that names the file and the place itself; empty: nothing.
func reasonOf(err error) string {
	if damage, ok := errors.AsType[*corrupt.Error](err); ok {
		return damage.Reason
	}
	if err == nil {
		return ""
	}
	return strings.TrimPrefix(err.Error(), errorPrefix)
}
