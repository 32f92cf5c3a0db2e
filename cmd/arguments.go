package cmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// arguments is what all commands have as Args: it holds what is given to what Use names after the command. [NAME] may
// be left out, NAME... may come more than once.
func arguments(c *cobra.Command, given []string) error {
	wanted := strings.Fields(c.Use)[1:]
	if missing := missingFrom(wanted, given); len(missing) > 0 {
		verb := "is"
		if len(missing) > 1 {
			verb = "are"
		}
		return argumentError(c, fmt.Sprintf("%s %s missing", strings.Join(missing, " and "), verb))
	}
	if n := len(wanted); len(given) > n && (n == 0 || !strings.HasSuffix(wanted[n-1], "...")) {
		text := fmt.Sprintf("%q is one argument too many", given[n])
		if store := c.Flags().Lookup("db"); store != nil && !store.Changed {
			text += ", a store is named with --db" // and was taken for an argument, more often than not
		}
		return argumentError(c, text)
	}
	return nil
}

// missingFrom are the names of what must be given and is not.
func missingFrom(wanted, given []string) (names []string) {
	for _, word := range wanted[min(len(given), len(wanted)):] {
		if !strings.HasPrefix(word, "[") {
			names = append(names, strings.TrimSuffix(word, "..."))
		}
	}
	return names
}

// argumentError is a usageError that shows how c is called.
func argumentError(c *cobra.Command, text string) error {
	return usageError(c, text+"; usage: "+c.UseLine())
}
