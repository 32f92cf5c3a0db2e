package cmd

import "github.com/spf13/cobra"

func newManifestCommand() *cobra.Command {
	return newParent("manifest", "Look at the manifest of a store", newManifestCheckCommand(), newManifestDumpCommand())
}
