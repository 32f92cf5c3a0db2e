package cmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// outputFormat is a form in which a command writes its data.
type outputFormat string

const (
	outputTable    outputFormat = "table"
	outputJSON     outputFormat = "json"
	outputCSV      outputFormat = "csv"
	outputMarkdown outputFormat = "markdown"
)

var outputFormats = []string{string(outputTable), string(outputJSON), string(outputCSV), string(outputMarkdown)}

// addOutputFlag gives c the flag -o.
func addOutputFlag(c *cobra.Command, format *outputFormat) {
	*format = outputTable
	c.Flags().VarP(format, "output", "o", "form of the output: "+strings.Join(outputFormats, ", "))
	// The only error is a flag that is not there.
	_ = c.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(outputFormats, cobra.ShellCompDirectiveNoFileComp))
}

func (f *outputFormat) String() string { return string(*f) }

// Set takes one of the formats.
func (f *outputFormat) Set(word string) error {
	if !slices.Contains(outputFormats, word) {
		return fmt.Errorf("it must be one of %s", strings.Join(outputFormats, ", "))
	}
	*f = outputFormat(word)
	return nil
}

// Type is how help names the flag's values.
func (f *outputFormat) Type() string { return "format" }
