package rows

import (
	"slices"
	"strconv"
	"strings"

	"siftdb/bench"
)

// Kind says which command made rows, so that those of several files are shown where they belong.
type Kind string

// The kinds of measurements.
const (
	Run                Kind = "run"
	WriteAmplification Kind = "write amplification"
	Growth             Kind = "growth"
)

// Header says where, when, how and with what rows were measured.
type Header struct {
	Kind Kind `json:"kind"`
	bench.Header
	Kernel      string  `json:"kernel"`
	Keys        int     `json:"keys"` // in a store; in measurements of growth where it is not what grows
	KeyBytes    int     `json:"key_bytes"`
	ValueBytes  int     `json:"value_bytes"`
	Repetitions int     `json:"repetitions"`
	Settings    string  `json:"settings"` // that are equal for all stores, in words
	Stores      []Store `json:"stores"`
}

// Store is a store that was measured.
type Store struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	// Apart says that it is shown but no best to be compared with, since it is built otherwise.
	Apart bool `json:"apart,omitempty"`
}

// Command is the command that measured, to be pasted into a shell.
func (h Header) Command() string {
	words := slices.Clone(h.CommandLine)
	for i, word := range words {
		if strings.ContainsAny(word, " \t\"'$*;&|<>") {
			words[i] = strconv.Quote(word)
		}
	}
	return strings.Join(words, " ")
}
