package failurecases

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// total is how many cases there are.
const total = 97

var (
	row = regexp.MustCompile(`(?m)^\| ([A-Z]{3}-\d\d) \| (.+) \|$`)
	id  = regexp.MustCompile(`\b[A-Z]{3}-\d\d\b`)
)

// listed are the ids in the rows of a part of README.md, with what stands beside them.
func listed(t *testing.T, part string) map[string]string {
	t.Helper()
	found := make(map[string]string)
	for _, r := range row.FindAllStringSubmatch(part, -1) {
		if found[r[1]] != "" {
			t.Errorf("README.md has %s twice", r[1])
		}
		found[r[1]] = r[2]
	}
	return found
}

// tested maps the ids that the module's tests carry to a file that does. Only the ids of known kinds count.
func tested(t *testing.T, kinds map[string]bool) map[string]string {
	t.Helper()
	root, own := filepath.Join("..", ".."), filepath.Join("..", "..", "internal", "failurecases")
	found, files := make(map[string]string), 0
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "testdata" || name == own) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		files++
		for _, id := range id.FindAllString(string(text), -1) {
			if kinds[id[:3]] {
				found[id] = name
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 100 {
		t.Fatalf("only %d files of tests found: the test looks in the wrong place", files)
	}
	return found
}

// TestEveryCaseIsAccountedFor: each case is carried by a test, or README.md says why it cannot happen here, and not
// both.
func TestEveryCaseIsAccountedFor(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	first, second, _ := strings.Cut(string(text), "\n## What cannot happen here\n")
	cases, impossible := listed(t, first), listed(t, second)
	if len(cases) != total {
		t.Errorf("README.md lists %d cases, there are %d", len(cases), total)
	}
	kinds := make(map[string]bool)
	for id := range cases {
		kinds[id[:3]] = true
	}
	carried := tested(t, kinds)
	for id, what := range cases {
		switch file, why := carried[id], impossible[id]; {
		case file == "" && why == "":
			t.Errorf("%s (%s): no test carries it, and README.md does not say why it cannot happen", id, what)
		case file != "" && why != "":
			t.Errorf("%s: README.md says that it cannot happen, and %s carries it", id, file)
		}
	}
	for id, file := range carried {
		if cases[id] == "" {
			t.Errorf("%s carries %s, which README.md does not list", file, id)
		}
	}
	for id := range impossible {
		if cases[id] == "" {
			t.Errorf("README.md says that %s cannot happen, which it does not list", id)
		}
	}
	t.Logf("%d cases: %d in tests, %d that cannot happen", len(cases), len(carried), len(impossible))
}
