package rules

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// pages are the texts for people, by their paths in the module.
func pages(t *testing.T) map[string]string {
	t.Helper()
	found := make(map[string]string)
	for _, pattern := range []string{"*.md", "*/*.md", "*/*/*.md"} {
		names, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			found[strings.TrimPrefix(filepath.ToSlash(name), "../../")] = read(t, name)
		}
	}
	return found
}

var root = filepath.Join("..", "..")

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var link = regexp.MustCompile(`\]\(([^)#:]+)\)`)

// TestPagesLinkToFiles: what a page links to is there, so the walks through the code lead somewhere.
func TestPagesLinkToFiles(t *testing.T) {
	links := 0
	for page, text := range pages(t) {
		for _, found := range link.FindAllStringSubmatch(text, -1) {
			links++
			file := path.Join(path.Dir(page), found[1])
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(file))); err != nil {
				t.Errorf("%s links to %s, which is not there", page, file)
			}
		}
	}
	if links < 50 {
		t.Errorf("only %d links found: the test looks in the wrong place", links)
	}
}

var quotedFile = regexp.MustCompile(`[^/.a-z]([a-z0-9_]+\.go)\b`)

// TestDocNamesFiles: a file that a package's doc.go names is in the package, so that its walk leads somewhere, too.
func TestDocNamesFiles(t *testing.T) {
	for file := range importsOfModule(t) {
		if path.Base(file) != "doc.go" {
			continue
		}
		dir := path.Dir(file)
		for _, found := range quotedFile.FindAllStringSubmatch(read(t, filepath.Join(root, file)), -1) {
			if name := found[1]; name != "doc.go" && name != "x.go" { // x.go stands for any
				if _, err := os.Stat(filepath.Join(root, dir, name)); err != nil {
					t.Errorf("%s names %s, which is not in package %s", file, name, dir)
				}
			}
		}
	}
}
