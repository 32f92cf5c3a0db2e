package compaction_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"siftdb/compaction"
	"siftdb/internal/key"
	"siftdb/internal/manifest"
)

var rewrite = flag.Bool("rewrite", false, "write the results of the scripts into testdata; look at the diff")

// TestScripts runs the scripts in testdata. A script is a row of commands, each with what it prints:
//
//	command with arguments
//	more lines, where the command takes them
//	----
//	what it prints, up to an empty line
//
// Commands:
//
//	options table=10 base=100 ratio=10 trigger=4 style=leveled
//	define     levels, a line each, as they are printed: L0: 9[c..k] 7[a..f]. Behind a table may stand its size in
//	           bytes (:30, else 10), deletions of entries (!6/10, else 0/10), the largest sequence number (@7)
//	flush      10[a..c]: a new table in level 0
//	shape      the base, and of each level bytes, target and score
//	pick       the next plan
//	start      the next plan, which then counts as running
//	finish     carries out the oldest running plan, as one table (with "nothing": as none)
//	manual     level=5 from=a to=c fresh=12: the next step of a manual compaction; then it is carried out
//	snapshot   7: the oldest view in use
func TestScripts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("scripts %v, error %v", files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := runScript(t, string(text))
			if *rewrite {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != string(text) {
				t.Errorf("%s prints\n%s", file, got)
			}
		})
	}
}

// leadingZeros of table numbers are left out in scripts.
var leadingZeros = regexp.MustCompile(`\b0+(\d+)\[`)

// runScript returns the script with what its commands print now.
func runScript(t *testing.T, text string) string {
	s := &script{t: t, state: compaction.State{Version: &manifest.Version{}, OldestSnapshot: key.MaxSeq}}
	var out strings.Builder
	for block := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		input, _, found := strings.Cut(block, "\n----")
		var command []string
		for line := range strings.Lines(input) {
			if !strings.HasPrefix(line, "#") {
				command = append(command, strings.TrimSpace(line))
			}
		}
		if !found || len(command) == 0 {
			t.Fatalf("no command in %q", block)
		}
		printed := s.run(command[0], command[1:])
		fmt.Fprintf(&out, "%s\n----\n", input)
		if printed = leadingZeros.ReplaceAllString(printed, "$1["); printed != "" {
			fmt.Fprintln(&out, strings.TrimSuffix(printed, "\n"))
		}
		out.WriteString("\n")
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// script is the state between two commands.
type script struct {
	t       *testing.T
	options compaction.Options
	state   compaction.State
	next    uint64 // number of the next table
}

func (s *script) run(command string, lines []string) string {
	words := strings.Fields(command)
	args := map[string]string{}
	for _, word := range words[1:] {
		name, value, _ := strings.Cut(word, "=")
		args[name] = value
	}
	switch words[0] {
	case "options":
		s.options = compaction.Options{
			TableSize: s.number(args["table"]), BaseBytes: s.number(args["base"]),
			LevelRatio: int(s.number(args["ratio"])), L0Tables: int(s.number(args["trigger"])),
			Style: s.style(args["style"]),
		}
		return ""
	case "define":
		return s.define(lines)
	case "flush":
		return s.flush(words[1])
	case "shape":
		return s.shape()
	case "pick", "start":
		p, ok := compaction.Pick(s.state, s.options)
		if !ok {
			return "nothing"
		}
		if words[0] == "start" {
			s.state.Running = append(s.state.Running, p)
		}
		return p.String()
	case "finish":
		if len(s.state.Running) == 0 {
			s.t.Fatal("nothing is running")
		}
		p := s.state.Running[0]
		s.state.Running = s.state.Running[1:]
		_, empty := args["nothing"]
		return s.carryOut(p, empty)
	case "manual":
		return s.manual(args)
	case "snapshot":
		s.state.OldestSnapshot = key.Seq(s.number(words[1]))
		return ""
	}
	s.t.Fatalf("unknown command %q", command)
	return ""
}

// style is the style of a name, the first of all without one.
func (s *script) style(name string) compaction.Style {
	for _, style := range compaction.Styles() {
		if name == "" || style.String() == name {
			return style
		}
	}
	s.t.Fatalf("no style %q", name)
	return 0
}

func (s *script) number(text string) int64 {
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

var tablePattern = regexp.MustCompile(`^(\d+)\[(\w+)\.\.(\w+)\](?::(\d+))?(?:!(\d+)/(\d+))?(?:@(\d+))?$`)

func (s *script) define(lines []string) string {
	e := &manifest.Edit{}
	for _, line := range lines {
		level, tables, _ := strings.Cut(line, ":")
		for i, word := range strings.Fields(tables) {
			t := s.table(word)
			if level == "L0" { // the first is the newest
				t.SmallestSeq = key.Seq(1000 - 10*i)
				t.LargestSeq = t.SmallestSeq + 9
			}
			e.Added = append(e.Added, manifest.Addition{Level: int(s.number(level[1:])), Table: t})
		}
	}
	s.state = compaction.State{Version: &manifest.Version{}, OldestSnapshot: key.MaxSeq}
	return s.apply(e)
}

func (s *script) flush(word string) string {
	t := s.table(word)
	t.SmallestSeq = 1010
	if newest := s.state.Version.Levels[0]; len(newest) > 0 {
		t.SmallestSeq = newest[0].LargestSeq + 1
	}
	t.LargestSeq = t.SmallestSeq + 9
	return s.apply(&manifest.Edit{Added: []manifest.Addition{{Level: 0, Table: t}}})
}

// table reads a table as it stands in a definition.
func (s *script) table(word string) *manifest.Table {
	m := tablePattern.FindStringSubmatch(word)
	if m == nil {
		s.t.Fatalf("no table: %q", word)
	}
	t := &manifest.Table{
		Number: uint64(s.number(m[1])), Size: 10, Entries: 10, Keys: 10, SmallestSeq: 1, LargestSeq: 9,
		Smallest: key.Make([]byte(m[2]), 1, key.KindSet), Largest: key.Make([]byte(m[3]), 1, key.KindSet),
	}
	if m[4] != "" {
		t.Size = s.number(m[4])
	}
	if m[5] != "" {
		t.Deletions, t.Entries = uint64(s.number(m[5])), uint64(s.number(m[6]))
		t.Keys = t.Entries
	}
	if m[7] != "" {
		t.LargestSeq = key.Seq(s.number(m[7]))
	}
	s.next = max(s.next, t.Number+1)
	return t
}

func (s *script) apply(e *manifest.Edit) string {
	v, err := s.state.Version.Apply(e)
	if err != nil {
		s.t.Fatal(err)
	}
	s.state.Version = v
	return v.String()
}

func (s *script) shape() string {
	shape := compaction.Scores(s.state, s.options)
	out := fmt.Sprintf("base L%d, debt %d\n", shape.Base, compaction.Debt(s.state, s.options))
	for level, l := range shape.Levels {
		if l.Tables > 0 || l.Target > 0 {
			out += fmt.Sprintf("L%d: %d tables, %d bytes of %d, score %.2f\n", level, l.Tables, l.Bytes, l.Target, l.Score)
		}
	}
	return out
}

// carryOut replaces the inputs of a plan by one table over all of them, or by none.
func (s *script) carryOut(p compaction.Plan, empty bool) string {
	var outputs []*manifest.Table
	if !empty && !p.Trivial {
		out := *p.Inputs[p.Level][0]
		out.Number, out.Size, out.Deletions, out.SmallestSeq = s.next, p.Bytes(), 0, 1
		s.next++
		for _, t := range slices.Concat(p.Inputs[:]...) {
			if string(t.Smallest.User) < string(out.Smallest.User) {
				out.Smallest = t.Smallest
			}
			if string(t.Largest.User) > string(out.Largest.User) {
				out.Largest = t.Largest
			}
		}
		outputs = append(outputs, &out)
	}
	return s.apply(p.Edit(outputs))
}

func (s *script) manual(args map[string]string) string {
	bound := func(name string) []byte {
		if value, ok := args[name]; ok {
			return []byte(value)
		}
		return nil
	}
	s.state.Fresh = uint64(s.number(args["fresh"]))
	p, ok := compaction.Manual(s.state, s.options, int(s.number(args["level"])), bound("from"), bound("to"))
	if !ok {
		return "nothing"
	}
	return p.String() + "\n" + s.carryOut(p, false) + fmt.Sprintf("after: %q", p.After())
}
