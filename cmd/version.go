package cmd

import (
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

func newVersionCommand() *cobra.Command {
	var format outputFormat
	c := &cobra.Command{
		Use:               "version",
		Short:             "Print which siftdb this is",
		Args:              arguments,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error {
			info, _ := debug.ReadBuildInfo()
			return writeFacts(c.OutOrStdout(), format, versionFacts(info))
		},
	}
	addOutputFlag(c, &format)
	return c
}

// addVersionFlag gives root the flag --version, without a letter of its own.
func addVersionFlag(root *cobra.Command) {
	info, _ := debug.ReadBuildInfo()
	root.Version = versionLine(versionFacts(info)) // cobra prints it where the flag of this name is given
	root.SetVersionTemplate("{{.Version}}\n")
	root.Flags().Bool("version", false, "print which siftdb this is, on one line")
}

// versionLine is what versionFacts say, on one line.
func versionLine(facts []fact) string {
	parts := make([]string, 0, len(facts))
	for _, f := range facts {
		switch f.name {
		case "go", "platform":
			parts = append(parts, f.forPeople())
		case "changed":
			parts = append(parts, f.title)
		default:
			parts = append(parts, f.title+" "+f.forPeople())
		}
	}
	return strings.Join(parts, ", ")
}

// versionFacts say what a program was built from; info may be nil.
func versionFacts(info *debug.BuildInfo) []fact {
	module := moduleIn(info)
	facts := []fact{
		{name: "version", title: "siftdb", value: module.Version},
		{name: "go", title: "built with", value: runtime.Version()},
		{name: "platform", title: "for", value: runtime.GOOS + "/" + runtime.GOARCH},
	}
	if info == nil || module != info.Main {
		return facts // the revision would be the host program's
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			facts = append(facts, fact{name: "revision", title: "revision", value: s.Value})
		case s.Key == "vcs.modified" && s.Value == "true":
			facts = append(facts, fact{name: "changed", title: "changed since", value: true})
		}
	}
	return facts
}

// moduleIn finds the module of this package, which is the program's or one that it is built with.
func moduleIn(info *debug.BuildInfo) debug.Module {
	const path = "siftdb"
	if info != nil {
		if info.Main.Path == path {
			return info.Main
		}
		for _, m := range info.Deps {
			if m.Path == path {
				return *m
			}
		}
	}
	return debug.Module{Path: path, Version: "unknown"}
}
