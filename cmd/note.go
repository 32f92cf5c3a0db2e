package cmd

import (
	"fmt"

	"github.com/spf13/cobra"
)

// note writes a line that is not data to c's error output.
func note(c *cobra.Command, format string, args ...any) {
	// A note that cannot be shown must not end the work.
	_, _ = fmt.Fprintf(c.ErrOrStderr(), format+"\n", args...)
}
