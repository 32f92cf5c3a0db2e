package bench

import (
	"runtime"
	"runtime/debug"
	"time"
)

// Header says where, when and with what a run was made. What the system does not tell is "unknown" or 0.
type Header struct {
	Version     string    `json:"version"` // of siftdb
	Go          string    `json:"go"`
	OS          string    `json:"os"`
	Arch        string    `json:"arch"`
	CPU         string    `json:"cpu"`
	Cores       int       `json:"cores"`        // that Go programs may use here
	MemoryBytes int64     `json:"memory_bytes"` // of the machine
	FileSystem  string    `json:"file_system"`  // under the stores
	Date        time.Time `json:"date"`
	CommandLine []string  `json:"command_line"`
}

const unknown = "unknown"

// ReadHeader looks at the machine and the program. dir is where the stores will lie, commandLine what the run was asked
// for. Several goroutines may call it.
func ReadHeader(dir string, commandLine []string, now time.Time) Header {
	h := Header{
		Version:     buildVersion(),
		Go:          runtime.Version(),
		OS:          runtime.GOOS,
		Arch:        runtime.GOARCH,
		CPU:         cpuModel(),
		Cores:       runtime.GOMAXPROCS(0),
		MemoryBytes: memorySize(),
		FileSystem:  fileSystem(dir),
		Date:        now.UTC().Truncate(time.Second),
		CommandLine: commandLine,
	}
	if h.CommandLine == nil {
		h.CommandLine = []string{}
	}
	return h
}

// modulePath is how build information names the module of this package.
const modulePath = "siftdb"

// buildVersion is the module's version or, for a build from a checkout, its revision.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return unknown
	}
	if info.Main.Path != modulePath {
		for _, m := range info.Deps {
			if m.Path == modulePath {
				return m.Version
			}
		}
		return unknown
	}
	version := info.Main.Version
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			version += " " + s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			version += " (changed)"
		}
	}
	return version
}
