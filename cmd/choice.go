package cmd

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// choice is a flag that takes one of some words.
type choice[T ~string] struct {
	chosen *T
	words  []T
	kind   string // of the words, for help
}

// addChoice gives c a flag that takes one of words, the first unless it is given.
func addChoice[T ~string](c *cobra.Command, name, short, usage, kind string, chosen *T, words ...T) {
	*chosen = words[0]
	flag := &choice[T]{chosen, words, kind}
	c.Flags().VarP(flag, name, short, usage+": "+flag.list())
	// The only error is a flag that is not there.
	_ = c.RegisterFlagCompletionFunc(name, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return strings.Split(flag.list(), ", "), cobra.ShellCompDirectiveNoFileComp
	})
}

func (f *choice[T]) list() string {
	list := make([]string, len(f.words))
	for i, word := range f.words {
		list[i] = string(word)
	}
	return strings.Join(list, ", ")
}

func (f *choice[T]) String() string {
	if f.chosen == nil { // the flag package makes zero values to compare with
		return ""
	}
	return string(*f.chosen)
}

// Set takes one of the words.
func (f *choice[T]) Set(word string) error {
	if !slices.Contains(f.words, T(word)) {
		return errors.New("it must be one of " + f.list())
	}
	*f.chosen = T(word)
	return nil
}

// Type is how help names the flag's values.
func (f *choice[T]) Type() string { return f.kind }
