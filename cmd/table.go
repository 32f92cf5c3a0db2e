package cmd

import (
	"github.com/spf13/cobra"
)

func newTableCommand() *cobra.Command {
	return newParent("table", "Look at single table files, damaged ones too",
		newTableCheckCommand(), newTableDumpCommand(), newTableLayoutCommand(), newTablePropertiesCommand())
}

// newParent makes a command that only holds others.
func newParent(name, short string, commands ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{
		Use:   name,
		Short: short,
		Args:  knownCommand,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(commands...)
	return c
}
