package rules

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// arrows says which packages of the module a package may import. What is not listed imports none. A new arrow
// is a decision; it is made here.
var arrows = map[string][]string{
	"bloom":               {"internal/offheap"},
	"internal/commit":     {"internal/key"},
	"internal/iter":       {"internal/key"},
	"internal/iter/check": {"internal/iter", "internal/key"},
	"internal/record":     {"internal/fsys", "internal/corrupt"},
	"internal/manifest":   {"internal/key", "internal/record", "internal/fsys", "internal/corrupt"},
	"internal/cache":      {"bloom"},
	"internal/forecast":   {"bloom"},
	"memtable":            {"internal/key", "internal/iter", "internal/offheap", "internal/striped", "bloom"},
	"wal":                 {"internal/key", "internal/record", "internal/fsys", "internal/corrupt", "internal/offheap"},
	"sstable": {"internal/key", "internal/iter", "bloom", "internal/cache", "internal/fsys", "internal/corrupt",
		"internal/offheap"},
	"compaction":       {"internal/key", "internal/manifest"},
	"compaction/merge": {"internal/key", "internal/iter", "compaction"},
	"db": {"internal/key", "internal/commit", "internal/fsys", "internal/corrupt", "internal/iter", "internal/record", "internal/manifest",
		"internal/cache", "internal/striped", "bloom", "memtable", "wal", "sstable", "compaction", "compaction/merge"},
	"internal/stress":   {"db", "bloom", "internal/fsys"},
	"internal/simulate": {"internal/key", "internal/iter", "internal/manifest", "compaction", "compaction/merge"},
	"bench":             {"db", "bloom"},
	"bench/report":      {"bench"},
	"cmd": {"bench", "bench/report", "db", "bloom", "wal", "sstable", "internal/manifest", "internal/record", "internal/fsys",
		"internal/corrupt", "internal/key", "internal/commit", "internal/iter", "internal/cache", "internal/forecast", "internal/stress",
		"internal/simulate", "compaction"},
	"cmd/siftdb": {"cmd"},
}

// libraries says which packages may import which library from outside.
var libraries = map[string][]string{
	"github.com/golang/snappy":        {"sstable"},
	"github.com/spaolacci/murmur3":    {"bloom"},
	"github.com/google/btree":         {"memtable"},
	"github.com/maypok86/otter/v2":    {"internal/cache"},
	"github.com/gofrs/flock":          {"internal/fsys"},
	"golang.org/x/sys":                {"internal/fsys", "bench"},
	"golang.org/x/sync":               {"db", "sstable", "bench", "internal/stress"},
	"github.com/spf13/cobra":          {"cmd", "cmd/siftdb"},
	"github.com/jedib0t/go-pretty/v6": {"bench/report", "cmd"},
	"github.com/HdrHistogram":         {"bench"},
	"github.com/dustin/go-humanize":   {"bench", "bench/report", "cmd"},
	"gonum.org/v1/plot":               {"bench/report"},
	"golang.org/x/image":              {"bench/report"},
}

// onlyHere says which standard packages are for one package alone, tests apart: disks are reached through
// internal/fsys. Programs that talk to people may use os; they have files of their own.
var onlyHere = map[string][]string{
	"os": {"internal/fsys", "bench", "bench/report", "cmd", "cmd/siftdb"},
}

const module = "siftdb"

func TestImports(t *testing.T) {
	for file, imports := range importsOfModule(t) {
		pkg := path.Dir(file)
		for _, imported := range imports {
			inner, own := strings.CutPrefix(imported, module+"/")
			switch {
			case own && !slices.Contains(arrows[pkg], inner):
				t.Errorf("%s imports %s: package %s may import %v. Move the code to where it belongs, or decide on a new arrow in %s",
					file, inner, pkg, arrows[pkg], "internal/rules/imports_test.go")
			case !own && strings.Contains(imported, "."):
				if lib := library(imported); lib == "" || !slices.Contains(libraries[lib], pkg) {
					t.Errorf("%s imports %s, which package %s may not", file, imported, pkg)
				}
			}
			if pkgs, reserved := onlyHere[imported]; reserved && !slices.Contains(pkgs, pkg) {
				t.Errorf("%s imports %q: only %v may; go through internal/fsys", file, imported, pkgs)
			}
		}
	}
}

func library(imported string) string {
	for lib := range libraries {
		if imported == lib || strings.HasPrefix(imported, lib+"/") {
			return lib
		}
	}
	return ""
}

// importsOfModule maps each Go file of the module, tests apart, to what it imports.
func importsOfModule(t *testing.T) map[string][]string {
	t.Helper()
	found := make(map[string][]string)
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "testdata" || isModule(name) && name != root) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		file := filepath.ToSlash(relative)
		found[file] = nil
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			found[file] = append(found[file], imported)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) < 20 {
		t.Fatalf("only %d files found: the test looks in the wrong place", len(found))
	}
	return found
}

// isModule says whether a folder is a module of its own, with rules of its own.
func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}
