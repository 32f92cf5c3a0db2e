package cmd

import "github.com/spf13/cobra"

func newWALCommand() *cobra.Command {
	return newParent("wal", "Look at files of the log", newWALDumpCommand())
}
