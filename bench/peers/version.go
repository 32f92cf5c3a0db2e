package main

import (
	"runtime/debug"
)

const unknownVersion = "unknown"

// versionOf gives the version of a module that this program was built with.
func versionOf(module string) func() string {
	return func() string {
		if info, ok := debug.ReadBuildInfo(); ok {
			for _, m := range info.Deps {
				if m.Path == module {
					return m.Version
				}
			}
		}
		return unknownVersion
	}
}

// ownVersion is the revision of the checkout that this program was built in: siftdb is the one around it. Programs made
// by go run do not know theirs; -buildvcs=true tells them.
func ownVersion() string {
	version := unknownVersion
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return version
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			version = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			version += " (changed)"
		}
	}
	return version
}
