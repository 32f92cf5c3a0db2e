package rules

import (
	"path"
	"slices"
	"strings"
	"testing"
)

// TestNames: a file or folder is named by the noun it holds; rooms without a noun fill with everything.
func TestNames(t *testing.T) {
	nowhere := []string{"util", "utils", "common", "misc", "helper", "helpers"}
	for file := range importsOfModule(t) {
		for _, part := range strings.Split(strings.TrimSuffix(file, path.Ext(file)), "/") {
			if slices.Contains(nowhere, part) {
				t.Errorf("%s: name it by what it holds, not %q", file, part)
			}
		}
	}
}

// TestDoc: every package says in doc.go, or in its one file, what it holds and where it stands.
func TestDoc(t *testing.T) {
	files := make(map[string][]string)
	for file := range importsOfModule(t) {
		files[path.Dir(file)] = append(files[path.Dir(file)], path.Base(file))
	}
	for pkg, names := range files {
		if len(names) > 1 && !slices.Contains(names, "doc.go") && !strings.HasPrefix(pkg, "cmd/") {
			t.Errorf("package %s has %d files and no doc.go", pkg, len(names))
		}
	}
}
