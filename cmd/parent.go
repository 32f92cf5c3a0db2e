package cmd

import "github.com/spf13/cobra"

// newParent makes a command that only holds others.
func newParent(name, short string, commands ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{
		Use:   name,
		Short: short,
		// Typing errors of two letters are told from other words.
		SuggestionsMinimumDistance: 2,
		Args:                       knownCommand,
		RunE:                       func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(commands...)
	return c
}

// filesNamed completes an argument with files of an extension.
func filesNamed(extension string) cobra.CompletionFunc {
	return cobra.FixedCompletions([]string{extension}, cobra.ShellCompDirectiveFilterFileExt)
}
