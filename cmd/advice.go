package cmd

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"unicode"

	"siftdb/internal/forecast"
)

// advice says in sentences what the numbers mean, and in commands what to do. A command is a note of its own.
func (t *tuning) advice(memory int64, target float64) []string {
	notes := []string{t.aboutLookups(), t.aboutNow()}
	notes = append(notes, t.howTo(t.best)...)
	notes = append(notes, t.aboutNextMiB())
	if memory > 0 {
		o := t.least(min(mostBits, 8*float64(memory)/float64(t.store.Keys())))
		notes = append(notes, fmt.Sprintf("In %s, %s waste %s reads for a lookup.",
			sizeText(memory), described(o.Kind), readsText(o.Wasted)))
		notes = append(notes, t.howTo(o)...)
	}
	if target > 0 {
		notes = append(notes, t.aboutTarget(target)...)
	}
	return notes
}

// aboutLookups says whose reads are counted.
func (t *tuning) aboutLookups() string {
	if t.probed == nil {
		return "Lookups are taken to be for absent keys from all over the range. --probe with a file of real ones " +
			"measures what is asked, and what the block cache does."
	}
	return fmt.Sprintf("Of %s, %.3g %% found their key. For each of them %s blocks were looked at for nothing; "+
		"theory makes it %s.",
		plural(t.probed.lookups(), "lookup"), 100*t.store.Found, readsText(part(t.probed.searched, t.probed.lookups())),
		readsText(t.theory))
}

// aboutNow compares the filters that there are with what is best in their memory.
func (t *tuning) aboutNow() string {
	if t.now.Memory == 0 {
		return fmt.Sprintf("No filters are in memory: a lookup wastes %s reads. "+
			"At %.4g bits per key, %s, it would waste %s with %s.",
			readsText(t.now.Wasted), t.best.BitsPerKey(), sizeText(bytesOfBits(t.best.Memory)),
			readsText(t.best.Wasted), described(t.best.Kind))
	}
	now := fmt.Sprintf("The filters that there are take %s, %.4g bits per key, and waste %s reads for a lookup.",
		sizeText(bytesOfBits(t.now.Memory)), t.now.BitsPerKey(), readsText(t.now.Wasted))
	if t.isBuilt(t.best.Kind) {
		return now + " No others would waste a tenth less in the same memory."
	}
	return fmt.Sprintf("%s In the same memory, %s would waste %s.",
		now, described(t.best.Kind), readsText(t.best.Wasted))
}

// isBuilt says whether a kind is that of the filters that there are.
func (t *tuning) isBuilt(k forecast.Kind) bool { return k.Family == t.kind.Family }

// howTo says how to come by filters other than those that there are.
func (t *tuning) howTo(o forecast.Outcome) []string {
	const rounding = 0.01 // of filters that come in whole words, which is nothing to ask for
	bits := math.Ceil(10*(o.BitsAsked-rounding)) / 10
	if t.isBuilt(o.Kind) {
		if bits > t.bits {
			return []string{fmt.Sprintf("They are in the files: %g bits per key bring them into memory.", bits)}
		}
		return nil
	}
	command := fmt.Sprintf("siftdb rebuild-filters -d %s --bits %g", shellWord(t.dir), bits)
	if f := family(o.Kind.Family); f != familyRecommended {
		command += " --family " + string(f)
	}
	return []string{command, fmt.Sprintf("That makes them. Options.Filter: %s in a program that opens the store has "+
		"them in memory, and gives tables to come the same.", constructor(o.Kind, bits))}
}

// shellWord is a word of a command line, in single quotes where a POSIX shell would read something else into it. It
// takes the backslash of paths on Windows for plain, as the shells there do.
func shellWord(word string) string {
	special := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("/._-+:,@", r) && r != filepath.Separator
	}
	if word != "" && !strings.ContainsFunc(word, special) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// constructor is the policy in Go.
func constructor(k forecast.Kind, bits float64) string {
	if family(k.Family) == familyRecommended {
		return fmt.Sprintf("bloom.BitsPerKey(%g)", bits)
	}
	return fmt.Sprintf("bloom.%s(%g)", strings.ToUpper(k.Family[:1])+k.Family[1:], bits)
}

// described names filters in a sentence.
func described(k forecast.Kind) string {
	switch k.Family {
	case forecast.AsBuilt.Family:
		return "the filters that there are"
	case forecast.Recommended.Family:
		return "filters as recommended (blocked in level 0, ribbon below)"
	}
	return k.Family + " filters"
}

// aboutNextMiB says where a further MiB of memory saves most.
func (t *tuning) aboutNextMiB() string {
	saved, more := t.best.Wasted-t.next.Wasted, bytesOfBits(t.next.Memory-t.best.Memory)
	say := fmt.Sprintf("1 MiB more of %s saves", filtersOf(t.best.Kind))
	if more < bytesOfMiB/2 {
		say = fmt.Sprintf("Of 1 MiB more, %s can use %s, which save", filtersOf(t.best.Kind), sizeText(more))
	}
	say = fmt.Sprintf("%s %s reads for a lookup%s", say, readsText(saved), t.levelsOfNextMiB())
	if t.cache == nil {
		return say + "."
	}
	saved *= t.probed.fromFile()
	cache := t.cache.perMiB()
	say += fmt.Sprintf(", %s of them from files; 1 MiB more of block cache saves %s, as measured from %s to %s.",
		readsText(saved), readsText(cache),
		sizeText(t.cache.bytes), sizeText(t.cache.bytes+t.cache.more))
	switch {
	case saved == 0 && cache == 0:
		return say + " Neither needs it."
	case saved >= cache:
		return say + " The next MiB should go to filters."
	}
	return say + " The next MiB should go to the block cache."
}

func filtersOf(k forecast.Kind) string {
	if k.Family == forecast.AsBuilt.Family {
		return "filters"
	}
	return described(k)
}

// levelsOfNextMiB says to which levels it goes.
func (t *tuning) levelsOfNextMiB() string {
	var to []string
	for i, l := range t.next.Levels {
		if gets := t.getsOfNextMiB(i); gets > 0 {
			to = append(to, fmt.Sprintf("%s to %s", sizeText(gets), levelText(l.Level)))
		}
	}
	if len(to) == 0 {
		return ""
	}
	return " (" + strings.Join(to, ", ") + ")"
}

// getsOfNextMiB is how many bytes of it level i gets.
func (t *tuning) getsOfNextMiB(i int) int64 {
	return bytesOfBits(t.next.Levels[i].Memory) - bytesOfBits(t.best.Levels[i].Memory)
}

// aboutTarget says what it takes to waste no more.
func (t *tuning) aboutTarget(target float64) []string {
	var best forecast.Outcome
	reached := false
	for _, kind := range t.curveKinds() {
		bits, ok := t.store.BitsFor(kind, target, func(o forecast.Outcome) float64 { return o.Wasted })
		if !ok {
			continue
		}
		if o := t.store.Foretell(kind, bits); !reached || float64(o.Memory) < notable*float64(best.Memory) {
			best, reached = o, true
		}
	}
	switch {
	case !reached:
		return []string{fmt.Sprintf("No memory keeps wasted reads at %g for a lookup or below.", target)}
	case best.Memory == 0:
		return []string{fmt.Sprintf("To waste at most %g reads for a lookup takes no filters: without any, it wastes %s.",
			target, readsText(best.Wasted))}
	}
	say := fmt.Sprintf("To waste at most %g reads for a lookup takes %s, %.4g bits per key, with %s.",
		target, sizeText(bytesOfBits(best.Memory)), best.BitsPerKey(), described(best.Kind))
	return append([]string{say}, t.howTo(best)...)
}
