package cmd

import "github.com/spf13/cobra"

// outputFormat is a form in which a command writes its data.
type outputFormat string

const (
	outputTable    outputFormat = "table"
	outputJSON     outputFormat = "json"
	outputCSV      outputFormat = "csv"
	outputMarkdown outputFormat = "markdown"
)

// addOutputFlag gives c the flag -o. Formats that only c has come first.
func addOutputFlag(c *cobra.Command, format *outputFormat, own ...outputFormat) {
	addChoice(c, "output", "o", "form of the output", "format", format,
		append(own, outputTable, outputJSON, outputCSV, outputMarkdown)...)
}
