package cmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// New makes the siftdb command with all its subcommands. Each call makes new ones.
func New() *cobra.Command {
	root := newParent("siftdb", "An embedded key-value store whose filters save disk reads")
	root.Long = "siftdb makes, looks into and measures stores whose tables carry filters: a filter\n" +
		"that says \"surely not\" saves a disk read.\n\n" +
		"Data goes to the output, everything else to the error output. Exit codes: 0 done,\n" +
		"1 an error, 2 a wrong call, 3 the key is not there, 4 damage was found,\n" +
		"130 interrupted."
	root.SilenceErrors = true
	addVersionFlag(root)
	root.SetFlagErrorFunc(flagError)
	addGroup(root, "data", "Data:",
		newGetCommand(), newPutCommand(), newDeleteCommand(), newScanCommand(), newCountCommand(),
		newImportCommand(), newExportCommand(),
	)
	addGroup(root, "look", "Look inside:",
		newInfoCommand(), newTablesCommand(), newFiltersCommand(), newExplainCommand(),
		newTableCommand(), newWALCommand(), newManifestCommand(),
	)
	addGroup(root, "keep", "Keep:",
		newVerifyCommand(), newRepairCommand(), newCompactCommand(), newFlushCommand(), newRebuildFiltersCommand(),
	)
	addGroup(root, "measure", "Measure:",
		newBenchCommand(), newTuneCommand(), newPlanCommand(), newSimulateCommand(), newStressCommand(),
	)
	addGroup(root, "help", "Help:", newVersionCommand())
	root.SetHelpCommand(newHelpCommand())
	root.SetHelpCommandGroupID("help")
	root.SetCompletionCommandGroupID("help")
	silenceUsage(root)
	return root
}

// addGroup adds commands that help lists together under a title.
func addGroup(root *cobra.Command, id, title string, commands ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: id, Title: title})
	for _, c := range commands {
		c.GroupID = id
		root.AddCommand(c)
	}
}

// silenceUsage keeps c and its subcommands from printing how they are used after every error, in a host program too.
func silenceUsage(c *cobra.Command) {
	c.SilenceUsage = true
	for _, sub := range c.Commands() {
		silenceUsage(sub)
	}
}

// flagError is a usageError for a flag. A key that begins with a hyphen is taken for one. Flags after a word that is no
// command are unknown because the command is.
func flagError(c *cobra.Command, err error) error {
	if words := c.Flags().Args(); c.HasSubCommands() && len(words) > 0 {
		return knownCommand(c, words)
	}
	text := err.Error()
	if takesArguments := strings.Contains(c.Use, " "); takesArguments && strings.HasPrefix(text, "unknown ") {
		text += ", an argument that begins with - comes after --"
	}
	return usageError(c, text)
}

// knownCommand refuses a word that is no subcommand, with the ones that it may have meant.
func knownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	text := fmt.Sprintf("unknown command %q", args[0])
	if meant := c.SuggestionsFor(args[0]); len(meant) > 0 {
		text += ", did you mean " + strings.Join(meant, " or ") + "?"
	}
	return usageError(c, text)
}
