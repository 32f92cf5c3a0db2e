package cmd

import (
	"context"
	"errors"
	"strings"
)

// errorPrefix begins every error of the program and of its packages.
const errorPrefix = "siftdb: "

// ErrorLine is err on one line, with the program's name before it once.
func ErrorLine(err error) string {
	if errors.Is(err, context.Canceled) {
		return errorPrefix + "interrupted"
	}
	text := strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", "; ")
	return errorPrefix + strings.ReplaceAll(text, errorPrefix, "")
}
