package cmd

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"siftdb/db"
)

// onStores are the commands that open a store, with arguments that are right.
var onStores = []string{
	"get fig", "scan", "count", "export", "info", "tables", "filters", "explain fig", "verify", "tune",
	"put fig green", "delete fig", "import -", "compact", "flush", "rebuild-filters --bits 9", "repair --yes",
}

// making are those of them that make a store where there is none.
func making(line string) bool {
	return strings.HasPrefix(line, "put") || strings.HasPrefix(line, "import")
}

func TestNoStore(t *testing.T) {
	lines := []string{"manifest check DIR"}
	for _, line := range onStores {
		if !making(line) {
			lines = append(lines, line+" -d DIR")
		}
	}
	for _, line := range lines {
		missing, empty := filepath.Join(t.TempDir(), "missing"), t.TempDir()
		for _, dir := range []string{missing, empty} {
			stdout, stderr, code := run(t, dir, line)
			if code != ExitError || stdout != "" || stderr != "siftdb: no store in "+dir+"\n" {
				t.Errorf("%s: exit code %d, %q, %q", line, code, stdout, stderr)
			}
		}
		if _, err := os.Stat(missing); err == nil {
			t.Errorf("%s made a directory", line)
		}
		if names, err := os.ReadDir(empty); err != nil || len(names) > 0 {
			t.Errorf("%s left %v in an empty directory, %v", line, names, err)
		}
	}
}

func TestFileForAStore(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	lines := []string{"manifest check DIR"}
	for _, line := range onStores {
		lines = append(lines, line+" -d DIR")
	}
	for _, line := range lines {
		_, stderr, code := run(t, file, line)
		if code != ExitError || !strings.Contains(stderr, "is a file, not a directory") || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: exit code %d, %q", line, code, stderr)
		}
	}
}

func TestLockedStore(t *testing.T) {
	dir := fruit(t)
	makeStore(t, dir, nil, func(*db.DB) {
		for _, line := range onStores {
			_, stderr, code := run(t, dir, line+" -d DIR")
			if code != ExitError || !strings.HasPrefix(stderr, "siftdb: locked: "+dir) ||
				!strings.Contains(stderr, "; close it there first") {
				t.Errorf("%s: exit code %d, %q", line, code, stderr)
			}
		}
		// Looking at single files needs no lock.
		for _, line := range []string{"table dump " + fileOf(t, dir, "*.sst"), "manifest dump DIR", "manifest check DIR"} {
			mustRun(t, dir, line)
		}
	})
}

func TestLookingChangesNothing(t *testing.T) {
	dir := fruit(t)
	before := filesIn(t, dir)
	for _, line := range onStores[:10] {
		if _, stderr, code := run(t, dir, line+" -d DIR"); code != ExitOK {
			t.Errorf("%s: exit code %d, %s", line, code, stderr)
		}
	}
	after := filesIn(t, dir)
	for name, content := range before {
		if after[name] != content {
			t.Errorf("%s changed", name)
		}
	}
	if len(after) != len(before) {
		t.Errorf("%d files, before %d", len(after), len(before))
	}
}

func filesIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(b)
	}
	return files
}

func TestUsageErrors(t *testing.T) {
	dir := fruit(t)
	for line, want := range map[string]string{
		"get fig":                          "which store? Give --db or set SIFTDB_DIR",
		"get -d DIR":                       "siftdb: KEY is missing; usage: siftdb get KEY [flags]; see",
		"put -d DIR":                       "KEY and VALUE are missing; usage: siftdb put KEY VALUE [flags]; see",
		"put -d DIR fig":                   "siftdb: VALUE is missing; usage: siftdb put KEY VALUE [flags]; see",
		"put -d DIR fig green ripe":        `"ripe" is one argument too many; usage: siftdb put KEY VALUE [flags]; see`,
		"delete -d DIR":                    "KEY is missing; usage: siftdb delete KEY... [flags]; see",
		"scan -d DIR extra":                `"extra" is one argument too many; usage: siftdb scan [flags]; see`,
		"scan fruit":                       `"fruit" is one argument too many, a store is named with --db; usage: siftdb scan [flags]; see`,
		"version extra":                    `"extra" is one argument too many; usage: siftdb version [flags]; see`,
		"scan -d DIR -o yaml":              "it must be one of lines, table, json, csv, markdown",
		"tables -d DIR -o lines":           "it must be one of table, json, csv, markdown",
		"get -d DIR --keys rot13 fig":      "it must be one of text, quoted, hex, base64",
		"get -d DIR --keys hex fig":        `key: "fig" is no hexadecimal text`,
		"put -d DIR --values base64 a b":   `value: "b" is no base64 text`,
		"count -d DIR --from x --keys hex": `--from: "x" is no hexadecimal text`,
		"scan -d DIR --limit -1":           "whole number",
		"compact -d DIR --bits many":       "neither a number nor off",
		"compact -d DIR --bits 1000":       "bits per key",
		"import -d DIR":                    "FILE is missing",
		"table dump":                       "FILE is missing; usage: siftdb table dump FILE [flags]; see siftdb table dump --help",
		"table dmup x":                     `unknown command "dmup", did you mean dump?`,
		"manifest check":                   "DIR is missing",
		"explian fig":                      `unknown command "explian", did you mean explain?`,
		"verify -d DIR --deep":             "unknown flag: --deep; see",
		"get -d DIR -fig":                  "unknown shorthand flag: 'f' in -fig, an argument that begins with - comes after --; see",
		"help explian":                     `unknown command "explian", did you mean explain?`,
		"help table dmup":                  `unknown command "dmup", did you mean dump?`,
		"help get fig":                     `"fig" is no command`,
		"repair DIR DIR --yes":             "is one argument too many",
	} {
		stdout, stderr, code := run(t, dir, line)
		if code != ExitUsage || stdout != "" || !strings.HasPrefix(stderr, "siftdb: ") || !strings.Contains(stderr, want) ||
			!strings.Contains(stderr, "; see siftdb ") || strings.Count(stderr, "\n") != 1 {
			t.Errorf("siftdb %s: exit code %d, %q, want %q", line, code, stderr, want)
		}
	}
}

// TestHelpOfEach: every command says what it does, and those with flags of their own how they are used.
func TestHelpOfEach(t *testing.T) {
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Short == "" || strings.HasSuffix(c.Short, ".") {
			t.Errorf("%s: short help %q", c.CommandPath(), c.Short)
		}
		if c.Runnable() && !c.HasAvailableSubCommands() && !c.Hidden && c.Example == "" && c.Name() != "version" {
			t.Errorf("%s has no example", c.CommandPath())
		}
		for line := range strings.Lines(c.Long) {
			if len(line) > 90 {
				t.Errorf("%s: a line of help has %d letters: %s", c.CommandPath(), len(line), line)
			}
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(New())
}

func TestCompletion(t *testing.T) {
	for line, want := range map[string]string{
		"__complete tables -o ":     "table\njson\ncsv\nmarkdown\n",
		"__complete scan -o ":       "lines\ntable\njson\ncsv\nmarkdown\n",
		"__complete get --keys ":    "text\nquoted\nhex\nbase64\n",
		"__complete table dump ":    "sst\n",
		"__complete get -d x fig ":  "",
		"__complete help manifest ": "check\tCheck the manifest, and that what it names is there\ndump\tPrint the records of a manifest\n",
		"__complete manifest ":      "check\tCheck the manifest, and that what it names is there\ndump\tPrint the records of a manifest\n",
	} {
		stdout, _, code := runWith(t, "", "", strings.Split(line, " ")...)
		if got, _, _ := strings.Cut(stdout, ":"); code != ExitOK || got != want {
			t.Errorf("%s: exit code %d, %q, want %q", line, code, got, want)
		}
	}
	if stdout, _, code := run(t, "", "completion bash"); code != ExitOK || !strings.Contains(stdout, "siftdb") {
		t.Errorf("completion bash: exit code %d", code)
	}
}

// TestInAHost: the tree works inside another program, with that program's streams.
func TestInAHost(t *testing.T) {
	dir := fruit(t)
	host := &cobra.Command{Use: "host", SilenceErrors: true}
	host.AddCommand(New())
	var out, errs bytes.Buffer
	host.SetOut(&out)
	host.SetErr(&errs)
	host.SetArgs([]string{"siftdb", "get", "-d", dir, "fig"})
	if err := host.ExecuteContext(context.Background()); err != nil || out.String() != "green\n" {
		t.Errorf("%v, %q", err, out.String())
	}
	out.Reset()
	host.SetArgs([]string{"siftdb", "get", "-d", dir, "plum"})
	if err := host.ExecuteContext(context.Background()); ExitCode(err) != ExitNotFound || errs.Len() > 0 || out.Len() > 0 {
		t.Errorf("%v, %q, %q", err, out.String(), errs.String())
	}
}

// TestInterrupted: an end that was asked for leaves the store whole, and says what is in it.
func TestInterrupted(t *testing.T) {
	dir := fruit(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, line := range []string{"scan", "count", "export", "verify", "compact", "filters --probe 10", "tune --probe 10"} {
		_, _, err := execute(ctx, strings.Fields(line+" -d "+dir)...)
		if ExitCode(err) != ExitInterrupted || !strings.HasSuffix(ErrorLine(err), "interrupted") {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestVersion(t *testing.T) {
	out := mustRun(t, "", "version -o csv")
	for _, name := range []string{"version,", "go,go1", "platform,"} {
		if !strings.Contains(out, "\n"+name) {
			t.Errorf("%q is not in %s", name, out)
		}
	}
}

// TestVersionFlag: --version says on one line what the command version says, in a host program too.
func TestVersionFlag(t *testing.T) {
	line := mustRun(t, "", "--version")
	for fact := range strings.Lines(mustRun(t, "", "version -o csv")) {
		name, value, _ := strings.Cut(strings.TrimSpace(fact), ",")
		if name != "name" && name != "changed" && !strings.Contains(line, value) {
			t.Errorf("%s %q is not in %q", name, value, line)
		}
	}
	if !strings.HasPrefix(line, "siftdb ") || strings.Count(line, "\n") != 1 {
		t.Errorf("--version: %q", line)
	}
	host := &cobra.Command{Use: "host"}
	host.AddCommand(New())
	var out bytes.Buffer
	host.SetOut(&out)
	host.SetArgs([]string{"siftdb", "--version"})
	if err := host.ExecuteContext(context.Background()); err != nil || out.String() != line {
		t.Errorf("in a host: %v, %q", err, out.String())
	}
}

// TestVersionLine: the revision of a build from a checkout, and that files were changed since, are in the line.
func TestVersionLine(t *testing.T) {
	info := &debug.BuildInfo{Main: debug.Module{Path: "siftdb", Version: "v1.2.3"}, Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "0123abcd"}, {Key: "vcs.modified", Value: "true"},
	}}
	want := "siftdb v1.2.3, " + runtime.Version() + ", " + runtime.GOOS + "/" + runtime.GOARCH +
		", revision 0123abcd, changed since"
	if line := versionLine(versionFacts(info)); line != want {
		t.Errorf("%q, want %q", line, want)
	}
}
