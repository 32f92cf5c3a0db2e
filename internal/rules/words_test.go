package rules

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var looseAtomic = regexp.MustCompile(`\batomic\.(Add|Load|Store|Swap|CompareAndSwap|And|Or)U?[Ii]nt64\(`)

// TestWordSizes: the store is built and tested where a word has 32 bits (LIM-06). Numbers of 64 bits that several
// goroutines share are of package atomic's types, which are aligned everywhere; its functions on plain numbers are not.
func TestWordSizes(t *testing.T) {
	for file := range importsOfModule(t) {
		if found := looseAtomic.FindString(read(t, filepath.Join(root, filepath.FromSlash(file)))); found != "" {
			t.Errorf("%s uses %s...): use a type of package atomic, such as atomic.Int64", file, found)
		}
	}
	everything := read(t, filepath.Join(root, ".ci", "run"))
	for _, what := range []string{
		"linux/386", "linux/arm64", "darwin/arm64", "windows/amd64", "freebsd/amd64", "export CGO_ENABLED=0",
		"GOARCH=386 go test", "GOARCH=386 go vet",
	} {
		if !strings.Contains(everything, what) {
			t.Errorf(".ci/run lacks %q", what)
		}
	}
}
