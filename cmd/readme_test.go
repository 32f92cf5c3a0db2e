package cmd

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

var update = flag.Bool("update", false, "write what its commands print into README.md")

const readmeName = "../README.md"

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(readmeName)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestReadmeOutputs makes the store that README.md makes, and holds what the commands print to what it says. After a
// change that is meant, go test ./cmd -run TestReadme -update writes it anew; look at the diff.
func TestReadmeOutputs(t *testing.T) {
	text := readme(t)
	name, err := filepath.Abs(readmeName)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for part, then := range []string{"compact", "flush", "flush"} {
		for _, words := range [][]string{{"import", "-d", "users", "-"}, {then, "-d", "users"}} {
			if _, stderr, code := runWith(t, users(part), "", words...); code != ExitOK {
				t.Fatalf("%v: exit code %d, %s", words, code, stderr)
			}
		}
	}
	examples := 0
	for _, block := range codeBlocks(text) {
		words, ok := strings.CutPrefix(firstLine(block), "$ ./siftdb ")
		if !ok {
			continue
		}
		examples++
		stdout, _, code := runWith(t, "", "", strings.Fields(words)...)
		want := firstLine(block) + "\n" + stdout
		text = strings.Replace(text, block, want, 1)
		if code != ExitOK || !*update && block != want {
			t.Errorf("exit code %d; README.md has\n%s\nand the command prints\n%s", code, block, want)
		}
	}
	if examples < 2 {
		t.Errorf("%d examples in README.md", examples)
	}
	rewrite(t, name, text)
}

// rewrite puts text into README.md, if that is asked for.
func rewrite(t *testing.T, name, text string) {
	t.Helper()
	if !*update {
		return
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// users are the lines that the README's shell function prints: every third of 150,000 even numbers.
func users(part int) string {
	var lines bytes.Buffer
	for i := 2 * part; i < 300_000; i += 6 {
		fmt.Fprintf(&lines, "user%06d\tvalue of user%06d\n", i, i)
	}
	return lines.String()
}

// codeBlocks are the blocks between fences that name no language, each line ended.
func codeBlocks(text string) (blocks []string) {
	for {
		_, after, found := strings.Cut(text, "\n```")
		if !found {
			return blocks
		}
		block, rest, _ := strings.Cut(after, "\n```\n")
		if language, lines, _ := strings.Cut(block, "\n"); language == "" {
			blocks = append(blocks, lines+"\n")
		}
		text = "\n" + rest
	}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// TestReadmeNamesCommands: each command that help shows stands in README.md.
func TestReadmeNamesCommands(t *testing.T) {
	text := readme(t)
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			visit(sub)
		}
		name := strings.TrimPrefix(c.CommandPath(), "siftdb ")
		if c.HasParent() && !c.HasAvailableSubCommands() && !c.Hidden && !strings.Contains(text, "`"+name+"`") &&
			!strings.Contains(text, "`"+name+" ") {
			t.Errorf("README.md does not name siftdb %s", name)
		}
	}
	visit(New())
}
