package cmd

import (
	"fmt"

	"github.com/spf13/cobra"
)

// newHelpCommand makes the command that shows the help of another. Cobra's own shows that of siftdb for a word that is
// no command.
func newHelpCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]...",
		Short:   "Help about any command",
		Example: "  siftdb help scan\n  siftdb help table dump",
		Args:    arguments,
		ValidArgsFunction: func(c *cobra.Command, words []string, _ string) ([]string, cobra.ShellCompDirective) {
			above, _, _ := c.Parent().Find(words)
			return commandsBelow(above), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, words []string) error {
			named, rest, err := c.Parent().Find(words)
			switch {
			case err != nil:
				return usageError(c, err.Error())
			case len(rest) > 0 && named.HasSubCommands():
				return knownCommand(named, rest)
			case len(rest) > 0:
				return usageError(named, fmt.Sprintf("%q is no command", rest[0]))
			}
			named.InitDefaultHelpFlag() // it has not been executed, which would make it
			return named.Help()
		},
	}
}

// commandsBelow are the names of c's commands, for completion.
func commandsBelow(c *cobra.Command) (names []string) {
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name()+"\t"+sub.Short)
		}
	}
	return names
}
