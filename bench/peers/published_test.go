package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPublished: the page, its pictures and the part of the README at the top are those of the rows that are kept.
// After a change that is meant, peers compare writes them anew, as README.md says; look at the diff.
func TestPublished(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("results", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no rows are kept: %v", err)
	}
	page, err := pageOf(files)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := page.Save(dir); err != nil {
		t.Fatal(err)
	}
	made, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range made {
		if textOf(t, filepath.Join(dir, entry.Name())) != textOf(t, filepath.Join("results", entry.Name())) {
			t.Errorf("results/%s is not that of the rows beside it", entry.Name())
		}
	}
	part, err := page.Part("bench/peers/results")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(textOf(t, filepath.Join("..", "..", "README.md")), part) {
		t.Errorf("the README at the top lacks\n%s", part)
	}
}

func textOf(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestCompareWithoutDirectory: the part of a README shows pictures, so it takes the directory where they are.
func TestCompareWithoutDirectory(t *testing.T) {
	args := []string{"compare", "-readme", filepath.Join("..", "..", "README.md"), filepath.Join("results", "run.jsonl")}
	if err := run(t.Context(), args); err == nil || !strings.Contains(err.Error(), "-readme needs -to") {
		t.Errorf("%q: %v", args, err)
	}
}
