package db

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// script is a metamorphic test written down. Its text has one line for each option set, which begins with "options",
// and then one for each operation:
//
//	options memtable=16384 filter=ribbon:6 plan=by-level
//	put key0007 20*c
//	flush
//	get key0007 no-cache
//
// A line is words with spaces between. A word that is empty, or that a line would tear apart, is quoted as in Go. The
// operations are the keys of verbs. Empty lines and those that begin with # say nothing.
type script struct {
	sets []optionSet
	ops  []operation
}

// operation is one line: a verb and what it is applied to.
type operation []string

func (o operation) String() string {
	words := make([]string, len(o))
	for i, w := range o {
		if words[i] = w; w == "" || strings.ContainsAny(w, " \t\n\"\\#") || !strconv.CanBackquote(w) {
			words[i] = strconv.Quote(w)
		}
	}
	return strings.Join(words, " ")
}

func (s script) String() string {
	var text strings.Builder
	for _, set := range s.sets {
		fmt.Fprintln(&text, operation(append([]string{"options"}, set...)))
	}
	for _, op := range s.ops {
		fmt.Fprintln(&text, op)
	}
	return text.String()
}

// parseScript is the inverse of String.
func parseScript(text string) (s script, err error) {
	for i, line := range strings.Split(text, "\n") {
		words, err := splitWords(line)
		if err != nil {
			return s, fmt.Errorf("line %d: %w", i+1, err)
		}
		switch {
		case len(words) == 0:
		case words[0] == "options":
			set := optionSet(words[1:])
			if _, err := set.options(nil); err != nil {
				return s, fmt.Errorf("line %d: %w", i+1, err)
			}
			s.sets = append(s.sets, set)
		case verbs[words[0]] == nil:
			return s, fmt.Errorf("line %d: there is no operation %q", i+1, words[0])
		default:
			s.ops = append(s.ops, words)
		}
	}
	if len(s.sets) == 0 {
		return s, fmt.Errorf("no line begins with options")
	}
	return s, nil
}

func readScript(name string) (script, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return script{}, err
	}
	return parseScript(string(text))
}

func splitWords(line string) (words []string, err error) {
	for rest := strings.TrimSpace(line); rest != "" && rest[0] != '#'; rest = strings.TrimLeft(rest, " \t") {
		word, _, _ := strings.Cut(rest, " ")
		if rest[0] == '"' {
			if word, err = strconv.QuotedPrefix(rest); err != nil {
				return nil, fmt.Errorf("%q: %w", rest, err)
			}
		}
		rest = rest[len(word):]
		if word[0] == '"' {
			if word, err = strconv.Unquote(word); err != nil {
				return nil, err
			}
		}
		words = append(words, word)
	}
	return words, nil
}

// subject is what a script is carried out on: a store, or the model. Each call gives the answer as text.
type subject interface {
	// write applies what b holds, as single writes or, where the verb is "batch", as one.
	write(verb string, b *Batch) string
	// read asks for one key; where view is not empty, in that snapshot. how says by which call.
	read(how, key, view string, opts []ReadOption) string
	scan(r Range, view string, opts []ReadOption) string
	// snapshot makes one under a name, closing what had it.
	snapshot(view string) string
	// iterator does the same; where from is not empty, it is one of that snapshot.
	iterator(view string, r Range, from string) string
	// move moves an iterator and says where it is.
	move(view, step, target string) string
	close(view string) string
	// upkeep changes nothing that reads show.
	upkeep(op operation) string
}

// verbs are the operations of scripts.
var verbs map[string]func(on subject, op operation) string

func init() { // verbs and parseScript refer to each other
	verbs = map[string]func(on subject, op operation) string{
		"put": doWrite, "delete": doWrite, "batch": doWrite, "fill": doFill,
		"get": doRead, "append-get": doRead, "get-func": doRead, "has": doRead, "view-get": doRead, "has-each": doHasEach,
		"scan": func(on subject, op operation) string {
			return on.scan(op.bounds(), op.after("from"), op.readOptions())
		},
		"snapshot": func(on subject, op operation) string { return on.snapshot(op.word(1)) },
		"iterator": func(on subject, op operation) string {
			return on.iterator(op.word(1), op.bounds(), op.after("from"))
		},
		"move":  func(on subject, op operation) string { return on.move(op.word(1), op.word(2), op.word(3)) },
		"close": func(on subject, op operation) string { return on.close(op.word(1)) },
	}
	for _, verb := range []string{
		"flush", "compact", "sync", "quiet", "verify", "counters", "reopen", "crash", "repair",
		"bits", "filter-memory", "load-filters", "rebuild-filters",
	} {
		verbs[verb] = func(on subject, op operation) string { return on.upkeep(op) }
	}
}

func doWrite(on subject, op operation) string {
	var b Batch
	for _, w := range op.writes() {
		if w[0] == "put" {
			b.Put([]byte(w.word(1)), spelled(w.word(2)))
		} else {
			b.Delete([]byte(w.word(1)))
		}
	}
	return on.write(op[0], &b)
}

// writes are the single writes of an operation.
func (o operation) writes() (writes []operation) {
	if o[0] != "batch" {
		return []operation{o}
	}
	for words := o[1:]; len(words) > 0; {
		n := min(len(words), 2)
		if words[0] == "put" {
			n = min(len(words), 3)
		}
		writes, words = append(writes, words[:n]), words[n:]
	}
	return writes
}

// scriptKey is the n-th key that scripts use: the empty one, and others of several lengths.
func scriptKey(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("key%04d%s", n, strings.Repeat("x", n%7))
}

// keys are those that "fill 20 300" and "has-each 20 300" are about: 300 of them from the 20th on.
func (o operation) keys() (keys []string) {
	from, _ := strconv.Atoi(o.word(1))
	count, _ := strconv.Atoi(o.word(2))
	for n := range count {
		keys = append(keys, scriptKey(from+n))
	}
	return keys
}

// doFill gives many keys one value.
func doFill(on subject, op operation) string {
	var b Batch
	for _, k := range op.keys() {
		b.Put([]byte(k), spelled(op.word(3)))
	}
	return on.write("batch", &b)
}

// doHasEach asks for many keys, and answers with a letter for each.
func doHasEach(on subject, op operation) string {
	var each strings.Builder
	for _, k := range op.keys() {
		switch answer := on.read("has", k, op.after("from"), op.readOptions()); answer {
		case "true":
			each.WriteByte('y')
		case "false":
			each.WriteByte('n')
		default:
			return answer
		}
	}
	return each.String()
}

func doRead(on subject, op operation) string {
	return on.read(op[0], op.word(1), op.after("from"), op.readOptions())
}

// word is the i-th word, empty where there is none.
func (o operation) word(i int) string {
	if i < len(o) {
		return o[i]
	}
	return ""
}

// after is the word that follows another one; empty if there is none. Keys are never named like those.
func (o operation) after(word string) string {
	if i := slices.Index(o, word); i >= 0 {
		return o.word(i + 1)
	}
	return ""
}

func (o operation) bounds() (r Range) {
	if slices.Contains(o, "lower") {
		r.Lower = []byte(o.after("lower"))
	}
	if slices.Contains(o, "upper") {
		r.Upper = []byte(o.after("upper"))
	}
	r.Reverse = slices.Contains(o, "reverse")
	r.KeysOnly = slices.Contains(o, "keys-only")
	r.Limit, _ = strconv.Atoi(o.after("limit"))
	return r
}

func (o operation) readOptions() (opts []ReadOption) {
	if slices.Contains(o, "ignore-filters") {
		opts = append(opts, IgnoreFilters)
	}
	if slices.Contains(o, "no-cache") {
		opts = append(opts, NoCache)
	}
	return opts
}

// spelled is the value that a word stands for: 20*c for twenty times the letter c.
func spelled(word string) []byte {
	count, letter, _ := strings.Cut(word, "*")
	n, _ := strconv.Atoi(count)
	return []byte(strings.Repeat(letter, n))
}

// spell is the inverse of spelled. What is no run of one letter is quoted.
func spell(value []byte) string {
	if len(value) == 0 {
		return "0*a"
	}
	word := fmt.Sprintf("%d*%c", len(value), value[0])
	if string(spelled(word)) != string(value) {
		return strconv.Quote(string(value))
	}
	return word
}
