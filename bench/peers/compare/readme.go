package compare

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"siftdb/bench/peers/rows"
)

// The lines between which the part of a README lies that is written here.
const (
	partBegins = "<!-- beside other stores: from here on written by peers publish -->\n"
	partEnds   = "<!-- beside other stores: to here -->\n"
)

// Part is what a README says of the page: each goal, what was measured, and by how much it was reached or missed.
// pictures is the directory of the page as links in the README have it.
func (p *Page) Part(pictures string) (string, error) {
	var b strings.Builder
	if c := p.comparisons[rows.Run]; c != nil {
		h := c.header
		what := fmt.Sprintf("%s keys of %d bytes with values of %d, half of which snappy saves; medians of %d "+
			"repetitions, in turns; %s.", thousands(h.Keys), h.KeyBytes, h.ValueBytes, h.Repetitions, h.Settings)
		where := fmt.Sprintf("%s, %d cores, %s, %s, %s, by `%s`.", h.CPU, h.Cores, h.FileSystem, h.Go,
			h.Date.Format("2006-01-02"), h.Command())
		if w := p.comparisons[rows.WriteAmplification]; w != nil {
			where += fmt.Sprintf(" Write amplification by `%s`.", w.header.Command())
		}
		b.WriteString(fold(what+" "+where, 120))
		fmt.Fprintf(&b, "\n![%s](%s/%s)\n\n", c.ratios().alt, pictures, c.ratios().name)
	}
	if err := p.summary().write(&b); err != nil {
		return "", err
	}
	if c := p.comparisons[rows.Run]; c != nil {
		if words := c.coldStarts(); words != "" {
			b.WriteString("\n" + fold(words, 120))
		}
	}
	return b.String(), nil
}

// coldStarts says how long each store takes to be opened and then to look present keys up, while the system's file cache
// has none of its files: some stores read them when they are opened, before the look-ups are timed. It is empty where
// one of the two was not measured.
func (c *comparison) coldStarts() string {
	open, read := named(c.figures, openCold, 1), named(c.figures, "read present, cold", 1)
	if open == nil || read == nil {
		return ""
	}
	seconds := func(r rows.Row) float64 { return r.Seconds }
	var lookups int64
	var each []string
	for _, store := range c.stores {
		opening, opened := open.of(store.Name, seconds)
		reading, was := read.of(store.Name, seconds)
		if opened && was {
			lookups = read.rows[store.Name][0].Ops // the same for all
			each = append(each, fmt.Sprintf("%s %.2f", store.Name, opening.median+reading.median))
		}
	}
	return fmt.Sprintf("Seconds that it takes, cold, to open a store and then to look up %s present keys: %s.",
		thousands(int(lookups)), strings.Join(each, ", "))
}

// fold breaks words into lines of up to so many letters, each ended.
func fold(words string, letters int) string {
	var b strings.Builder
	length := 0
	for _, word := range strings.Fields(words) {
		switch wide := len([]rune(word)); {
		case length == 0:
			length = wide
		case length+1+wide > letters:
			b.WriteByte('\n')
			length = wide
		default:
			b.WriteByte(' ')
			length += 1 + wide
		}
		b.WriteString(word)
	}
	return b.String() + "\n"
}

// summary has a line for each goal.
func (p *Page) summary() *table {
	t := &table{}
	t.add("", own, "best neighbour", "ratio", "at least", "")
	c := p.comparisons[rows.Run]
	if c != nil {
		for _, f := range c.figures {
			v, there := f.speedVerdict(c.stores)
			if !there || v.least == 0 {
				continue
			}
			mine, _ := f.of(own, rows.Row.PerSecond)
			rate := mine.median / 1000
			t.add(f.title()+", thousand/s", short(rate), v.other+" "+short(rate/v.ratio.median), v.times(),
				fmt.Sprintf("%.1f", v.least), atLeast(v.ratio.median, v.least))
		}
		c.summarizeMemory(t)
		if f := named(c.figures, "compact", 1); f != nil {
			smallest, _ := f.best(c.stores, func(r rows.Row) float64 { return -storeMiB(r) })
			f.summarize(t, "bytes on disk, compacted, MiB", smallest, storeMiB)
		}
	}
	if w := p.comparisons[rows.WriteAmplification]; w != nil {
		name := "write amplification, " + thousands(w.header.Keys) + " keys"
		w.amplification().summarize(t, name, reference, dirtiedRatio)
	}
	return t
}

// summarize adds the line of a quantity that is not to be above that of another store.
func (f *figure) summarize(t *table, name, other string, quantity func(rows.Row) float64) {
	mine, there := f.of(own, quantity)
	theirs, too := f.of(other, quantity)
	if there && too {
		ratio := fmt.Sprintf("%.2f", mine.median/theirs.median)
		t.add(name, short(mine.median), other+" "+short(theirs.median), ratio, "at most 1",
			atLeast(theirs.median, mine.median))
	}
}

// summarizeMemory adds the line of the phase in which resident memory is worst beside the reference.
func (c *comparison) summarizeMemory(t *table) {
	var worst *figure
	var most float64
	for _, f := range c.figures {
		mine, there := f.of(own, peakMiB)
		theirs, too := f.of(reference, peakMiB)
		if there && too && theirs.median > 0 && mine.median/theirs.median > most {
			worst, most = f, mine.median/theirs.median
		}
	}
	if worst != nil {
		worst.summarize(t, "peak of resident memory, MiB, in the worst phase, "+worst.title(), reference, peakMiB)
	}
}

// Rewrite puts the part between its lines into the README name. dir is the directory of the page.
func (p *Page) Rewrite(name, dir string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	before, rest, begins := strings.Cut(string(text), partBegins)
	_, after, ends := strings.Cut(rest, partEnds)
	if !begins || !ends {
		return errors.New(name + " lacks the lines between which results stand")
	}
	pictures, err := relative(name, dir)
	if err != nil {
		return err
	}
	part, err := p.Part(pictures)
	if err != nil {
		return err
	}
	return os.WriteFile(name, []byte(before+partBegins+"\n"+part+"\n"+partEnds+after), 0o644)
}

// relative is the path of dir in links of the file name.
func relative(name, dir string) (string, error) {
	from, err := filepath.Abs(filepath.Dir(name))
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	path, err := filepath.Rel(from, to)
	return filepath.ToSlash(path), err
}
