package db

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var (
	metamorphicSeed   = flag.Uint64("metamorphic.seed", 0, "seed of the metamorphic test; 0: a new one for each script")
	metamorphicRounds = flag.Int("metamorphic.rounds", 0, "scripts of the metamorphic test; 0: 12, or 3 with -short")
	metamorphicOps    = flag.Int("metamorphic.ops", 400, "operations of each script")
)

// scriptsDir keeps the scripts that once failed.
var scriptsDir = filepath.Join("testdata", "metamorphic")

// TestMetamorphic carries random scripts out on several stores: each begins under another of the script's option sets,
// and goes on under the next one when the script reopens it. Whatever the options, all must answer like each other and
// like the model. A script that fails is shrunk and kept in testdata.
//
// Long: go test ./db -run TestMetamorphic$ -v -metamorphic.rounds=2000 -metamorphic.ops=2000
func TestMetamorphic(t *testing.T) {
	rounds := *metamorphicRounds
	if rounds == 0 {
		rounds = 12
		if testing.Short() {
			rounds = 3
		}
	}
	stores, operations := 0, 0
	for range rounds {
		seed := *metamorphicSeed
		if seed == 0 {
			seed = rand.Uint64()
		}
		s := randomScript(seed, *metamorphicOps)
		what := fmt.Sprintf("-metamorphic.seed=%d -metamorphic.ops=%d", seed, *metamorphicOps)
		var err error
		within(t, what, func() { err = s.check() })
		if err != nil {
			t.Errorf("%s: %v", what, err)
			keepShrunk(t, s, fmt.Sprintf("seed-%d.txt", seed))
			return
		}
		stores += len(s.sets)
		operations += len(s.sets) * len(s.ops)
	}
	t.Logf("%d scripts, %d stores, %d operations on them", rounds, stores, operations)
}

// check carries the script out on a store for each option set to begin under, and says where a store gave another
// answer than the model. Stores that all answer like the model answer like each other.
func (s script) check() error {
	want := s.model()
	for first := range s.sets {
		got, err := s.run(first)
		for i, answer := range got {
			if answer != want[i] {
				return fmt.Errorf("under option set %d, operation %d, %v: %s, the model says %s",
					first+1, i+1, shortened(s.ops[i].String()), shortened(answer), shortened(want[i]))
			}
		}
		if err != nil {
			return fmt.Errorf("under option set %d: %w", first+1, err)
		}
	}
	return nil
}

// shortened is the beginning of a text that is long.
func shortened(text string) string {
	const most = 300
	if len(text) <= most {
		return text
	}
	return fmt.Sprintf("%s... (%d bytes)", text[:most], len(text))
}

// tries is how often a script is carried out before it counts as sound: what goes on in the background may differ.
const tries = 3

func keepShrunk(t *testing.T, s script, name string) {
	t.Helper()
	var reason error
	small := s.shrunk(func(s script) bool {
		for range tries {
			if err := s.check(); err != nil {
				reason = err
				return true
			}
		}
		return false
	})
	file := filepath.Join(scriptsDir, name)
	check(t, os.MkdirAll(scriptsDir, 0o777))
	text := fmt.Sprintf("# %v\n%v", reason, small)
	check(t, os.WriteFile(file, []byte(text), 0o666))
	t.Errorf("shrunk from %d operations to %d, kept in %s:\n%s", len(s.ops), len(small.ops), file, text)
}

// TestMetamorphicScripts carries out the scripts that once failed.
func TestMetamorphicScripts(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(scriptsDir, "*.txt"))
	check(t, err)
	if len(names) == 0 {
		t.Error("there are no scripts: the test looks in the wrong place")
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			s, err := readScript(name)
			check(t, err)
			for range tries {
				within(t, name, func() { err = errors.Join(err, s.check()) })
			}
			check(t, err)
		})
	}
}

// TestScriptsAsText: a script is read back as it was written, and what is no script is told by its line.
func TestScriptsAsText(t *testing.T) {
	for seed := range uint64(15) {
		s := randomScript(seed, 100)
		s.ops = append(s.ops, operation{"put", "a \"b\"\n#\\", "3*c"}, operation{"get", "\xff\x00"})
		again, err := parseScript("# why\n\n" + s.String())
		check(t, err)
		if again.String() != s.String() || fmt.Sprint(again.model()) != fmt.Sprint(s.model()) {
			t.Errorf("seed %d: written\n%s\nread\n%s", seed, s, again)
		}
	}
	for text, fault := range map[string]string{
		"options\nput a 3*b\njump a":   `line 3: there is no operation "jump"`,
		"options size=3":               `line 1: there is no option "size"`,
		"options block=much":           "line 1",
		"options filter=sieve:3":       `"sieve:3" is no filter`,
		"options plan=none":            "line 1",
		"options\nput \"a":             "line 2",
		"put a 3*b":                    "no line begins with options",
		"options filter=ribbon:-1\n":   "line 1",
		"options filter=ribbon:many\n": "is no filter",
	} {
		if _, err := parseScript(text); err == nil || !strings.Contains(err.Error(), fault) {
			t.Errorf("%q: %v, want %q in it", text, err, fault)
		}
	}
}
