package cmd

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

const benchCall = "$ go run ./cmd/siftdb bench --quick"

// TestReadmeBench repeats two rows of the run in README.md: counts come from the seed, not from the machine. With
// -update it repeats the whole run and writes it down, and the table at the top with it.
func TestReadmeBench(t *testing.T) {
	if testing.Short() {
		t.Skip("loads 400,000 keys")
	}
	text := readme(t)
	if *update {
		text = withNewBench(t, text)
		rewrite(t, readmeName, text)
	}
	table, stderr, err := execute(t.Context(), "bench", "--quick", "--bits", "off,10")
	if err != nil {
		t.Fatal(err, stderr)
	}
	for _, row := range []string{"off", "10"} {
		said, is := strings.Join(countsOf(t, text, row), " "), strings.Join(countsOf(t, table, row), " ")
		if said != is {
			t.Errorf("bits %s: README.md has the counts\n%s\nand bench --quick gives\n%s\nif that is meant: go test ./cmd -run TestReadme -update", row, said, is)
		}
	}
}

// TestReadmeTopTable: the table at the top of README.md is cut from the run below it.
func TestReadmeTopTable(t *testing.T) {
	text := readme(t)
	for name, line := range topTable(t, text) {
		if !strings.Contains(text, "\n"+line+"\n") {
			t.Errorf("by the run in README.md, the row %q of the table at its top should be\n%s", name, line)
		}
	}
}

// topTable is what the table at the top has in each of its rows.
func topTable(t *testing.T, text string) map[string]string {
	t.Helper()
	rows := map[string]string{}
	add := func(name, cell string) {
		if rows[name] == "" {
			rows[name] = "| " + name + " |"
		}
		rows[name] += " " + cell + " |"
	}
	for _, bits := range []string{"off", "6", "10", "14"} {
		counts := countsOf(t, text, bits)
		add("reads for a key that is not there", counts[3])
		add("reads for a key that is there", counts[4])
		add("memory for the filters of 200,000 keys", counts[0]+" MiB")
	}
	return rows
}

// countsOf is what a bench's first table counts in the first row that begins so: MiB of filters, lookups, tables
// checked, reads of an absent key and of a present one, reads skipped, and their share.
func countsOf(t *testing.T, text, row string) []string {
	t.Helper()
	for line := range strings.Lines(text) {
		if cells := strings.Fields(line); len(cells) > 10 && cells[0] == row {
			beforeTimes := strings.Fields(line[:strings.LastIndex(line, "%")])
			return append(cells[1:2:2], beforeTimes[len(beforeTimes)-6:]...)
		}
	}
	t.Fatalf("no row %s", row)
	return nil
}

var listOfRows = regexp.MustCompile(`\((bits [^)]*)\)`)

// withNewBench is the README with a run made now, cut as the page says.
func withNewBench(t *testing.T, text string) string {
	t.Helper()
	run := exec.CommandContext(t.Context(), "go", strings.Fields(benchCall)[2:]...)
	run.Dir = ".."
	out, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	kept, _, _ := strings.Cut(string(out), "Present keys\n")
	kept = benchCall + "\n" + listOfRows.ReplaceAllString(kept, "([...])") + "[...]\n"
	for _, block := range codeBlocks(text) {
		if firstLine(block) == benchCall {
			text = strings.Replace(text, block, kept, 1)
		}
	}
	for name, line := range topTable(t, text) {
		text = regexp.MustCompile("(?m)^\\| "+regexp.QuoteMeta(name)+" \\|.*$").ReplaceAllLiteralString(text, line)
	}
	return text
}
