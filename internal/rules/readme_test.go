package rules

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestReadmeProgram: the program in README.md is the body of the Example of package db, which is tested.
func TestReadmeProgram(t *testing.T) {
	_, after, _ := strings.Cut(read(t, filepath.Join(root, "README.md")), "\n```go\n")
	program, _, _ := strings.Cut(after, "```\n")
	shown := bodyOf(t, "README.md", program, "main")
	tested := bodyOf(t, "db/example_test.go", read(t, filepath.Join(root, "db", "example_test.go")), "Example")
	if tested, _, _ = strings.Cut(tested, "\t// Output:"); strings.TrimRight(tested, "\n}") != strings.TrimRight(shown, "\n}") {
		t.Errorf("README.md shows\n%s\nand db/example_test.go tests\n%s", shown, tested)
	}
	if formatted, err := format.Source([]byte(program)); err != nil || string(formatted) != program {
		t.Errorf("the program in README.md is not as gofmt writes it: %v", err)
	}
}

// bodyOf is the text of a function of a Go file, from its opening brace. The file uses all that it imports.
func bodyOf(t *testing.T, name, source, function string) string {
	t.Helper()
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, name, source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range parsed.Imports {
		if used := path.Base(strings.Trim(spec.Path.Value, `"`)); !strings.Contains(source, used+".") {
			t.Errorf("%s imports %s in vain", name, spec.Path.Value)
		}
	}
	for _, d := range parsed.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == function {
			return source[files.Position(f.Body.Lbrace).Offset:files.Position(f.Body.Rbrace).Offset]
		}
	}
	t.Fatalf("%s has no function %s", name, function)
	return ""
}

var optionRow = regexp.MustCompile("(?m)^\\| `([A-Z]\\w*)` \\|")

// TestReadmeOptions: README.md has a row for each field of db.Options, and for nothing else, in their order.
func TestReadmeOptions(t *testing.T) {
	var shown []string
	_, section, _ := strings.Cut(read(t, filepath.Join(root, "README.md")), "\n## Options\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for _, row := range optionRow.FindAllStringSubmatch(section, -1) {
		shown = append(shown, row[1])
	}
	if fields := fieldsOf(t, filepath.Join(root, "db", "options.go"), "Options"); !slices.Equal(shown, fields) {
		t.Errorf("README.md lists the options\n%v\nand db.Options has\n%v", shown, fields)
	}
}

// fieldsOf are the names of a struct's fields.
func fieldsOf(t *testing.T, name, structure string) (fields []string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok || spec.Name.Name != structure {
			return true
		}
		for _, field := range spec.Type.(*ast.StructType).Fields.List {
			for _, name := range field.Names {
				fields = append(fields, name.Name)
			}
		}
		return false
	})
	return fields
}
