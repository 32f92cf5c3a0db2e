package cmd

import (
	"context"
	"strings"
)

// errorPrefix begins every error of the program and of its packages.
const errorPrefix = "siftdb: "

// ErrorLine is err on one line, with the program's name before it once.
func ErrorLine(err error) string {
	text := strings.TrimSpace(err.Error())
	for _, r := range []struct{ old, new string }{
		{"\n", "; "},
		{errorPrefix, ""},
		{context.Canceled.Error(), "interrupted"},
	} {
		text = strings.ReplaceAll(text, r.old, r.new)
	}
	return errorPrefix + text
}
