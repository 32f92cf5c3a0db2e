package cmd

import "github.com/spf13/cobra"

func newTableCommand() *cobra.Command {
	return newParent("table", "Look at single table files, damaged ones too",
		newTableCheckCommand(), newTableDumpCommand(), newTableLayoutCommand(), newTablePropertiesCommand())
}
