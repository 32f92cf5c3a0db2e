package compare

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"siftdb/bench/peers/rows"
)

// Page is all that is shown of some files of rows.
type Page struct {
	comparisons map[rows.Kind]*comparison
	headers     []rows.Header
}

// Of makes the page of files. Several files of one kind are taken together, as parts of one measurement; that of the
// most stores says in short how it was made. Files are left as they are.
func Of(files []rows.File) (*Page, error) {
	p := &Page{comparisons: make(map[rows.Kind]*comparison)}
	files = slices.Clone(files)
	slices.SortStableFunc(files, func(a, b rows.File) int { return len(b.Header.Stores) - len(a.Header.Stores) })
	for _, f := range files {
		if len(f.Rows) == 0 {
			continue
		}
		p.headers = append(p.headers, f.Header)
		c := p.comparisons[f.Header.Kind]
		if c == nil {
			c = &comparison{header: f.Header}
			p.comparisons[f.Header.Kind] = c
		}
		for _, s := range f.Header.Stores {
			if !slices.ContainsFunc(c.stores, func(known rows.Store) bool { return known.Name == s.Name }) {
				c.stores = append(c.stores, s)
			}
		}
		c.rows = append(c.rows, f.Rows...)
	}
	if len(p.comparisons) == 0 {
		return nil, errors.New("compare: no rows")
	}
	for _, c := range p.comparisons {
		c.figures = figuresOf(c.rows)
	}
	return p, nil
}

// sourceOf says in a line where figures come from.
func sourceOf(h rows.Header) string {
	return fmt.Sprintf("%s; siftdb %s, %s, %s, %d cores, %s, %s", h.Command(), h.Version, h.Go,
		h.CPU, h.Cores, h.FileSystem, h.Date.Format("2006-01-02"))
}

// headerLines say with what and how rows were measured.
func headerLines(h rows.Header) []string {
	stores := make([]string, len(h.Stores))
	for i, s := range h.Stores {
		stores[i] = s.Name + " " + s.Version
	}
	return []string{
		"command: `" + h.Command() + "`",
		fmt.Sprintf("machine: %s, %d cores, %d MiB of memory, %s/%s, kernel %s, %s", h.CPU, h.Cores, h.MemoryBytes/mib,
			h.OS, h.Arch, h.Kernel, h.FileSystem),
		fmt.Sprintf("%s, %s; %s", h.Date.Format("2006-01-02 15:04 MST"), h.Go, strings.Join(stores, ", ")),
		fmt.Sprintf("%s keys of %d bytes, values of %d; repetitions: %d", thousands(h.Keys), h.KeyBytes, h.ValueBytes,
			h.Repetitions),
		"equal for all: " + h.Settings,
	}
}

// thousands is n with commas.
func thousands(n int) string {
	text := fmt.Sprint(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// section is a part of the page.
type section struct {
	title   string
	words   string
	table   *table
	picture *picture
}

// sections are all parts of the page, in their order.
func (p *Page) sections() (all []section) {
	if c := p.comparisons[rows.Run]; c != nil {
		ratios, latency := c.ratios(), c.latencyPicture()
		all = append(all,
			section{title: "Speed", words: "Medians, and the least and the most of the repetitions.", table: c.speeds(),
				picture: &ratios},
			section{title: "Done once", table: c.once()},
			section{title: "Latency", words: "Of every eighth operation.", table: c.latencies(), picture: &latency},
			section{title: "Processor", words: "Of all threads, compactions included.",
				table: c.quantities("µs an operation", rows.Row.CPUMicros)},
			section{title: "Reads", words: coldVerdict(c), table: c.reads()},
			section{title: "Allocations", words: "RocksDB allocates outside of what Go counts.",
				table: c.allocations()},
			section{title: "Resident memory", words: "Pages of mapped files count: Badger and bbolt map theirs.",
				table: c.memory()},
			section{title: "Bytes on disk", table: c.disk()},
			section{title: "Write amplification", words: "Of fill random, half as many overwrites, and coming to rest.",
				table: c.amplifications()})
	}
	if c := p.comparisons[rows.WriteAmplification]; c != nil {
		all = append(all, section{
			title: fmt.Sprintf("Write amplification, %s keys", thousands(c.header.Keys)),
			words: "Of fill random, as many overwrites, and coming to rest.",
			table: c.amplifications(),
		})
	}
	if c := p.comparisons[rows.Growth]; c != nil {
		for _, g := range c.growths() {
			drawn := g.picture(c)
			all = append(all, section{title: "Growth by " + g.axis, table: g.table(c.stores), picture: &drawn})
		}
	}
	return all
}

// coldVerdict says how many reads of the disk a present key costs in a cold store.
func coldVerdict(c *comparison) string {
	words := "Calls that read, an operation; what comes through mapped files is in the KiB alone."
	if f := named(c.figures, "read present, cold", 1); f != nil {
		if s, there := f.of(own, rows.Row.ReadsPerOp); there {
			words += fmt.Sprintf(" A present key, cold: siftdb %s reads, wanted at most %.2f: %s.", short(s.median),
				coldReads, atLeast(coldReads, s.median))
		}
	}
	return words
}

// ordered is the headers by kind, in the order of the parts of the page.
func (p *Page) ordered() (headers []rows.Header) {
	for _, kind := range []rows.Kind{rows.Run, rows.WriteAmplification, rows.Growth} {
		for _, h := range p.headers {
			if h.Kind == kind {
				headers = append(headers, h)
			}
		}
	}
	return headers
}

// Write writes the page as Markdown, with links to its pictures if there are some in its directory.
func (p *Page) Write(out io.Writer) error {
	var b strings.Builder
	for _, h := range p.ordered() {
		fmt.Fprintf(&b, "%s:\n\n", h.Kind)
		for _, line := range headerLines(h) {
			fmt.Fprintf(&b, "* %s\n", line)
		}
		fmt.Fprintln(&b)
	}
	for _, s := range p.sections() {
		fmt.Fprintf(&b, "## %s\n\n", s.title)
		if s.words != "" {
			fmt.Fprintf(&b, "%s\n\n", s.words)
		}
		if err := s.table.write(&b); err != nil {
			return err
		}
		fmt.Fprintln(&b)
		if s.picture != nil {
			fmt.Fprintf(&b, "![%s](%s)\n\n", s.picture.alt, s.picture.name)
		}
	}
	_, err := io.WriteString(out, strings.TrimSuffix(b.String(), "\n"))
	return err
}

// Save writes the page into dir as README.md, with its pictures beside it.
func (p *Page) Save(dir string) error {
	var b strings.Builder
	b.WriteString("# siftdb beside other stores, measured\n\n")
	if err := p.Write(&b); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "README.md"), []byte(b.String()), 0o644); err != nil {
		return err
	}
	for _, s := range p.sections() {
		if s.picture == nil {
			continue
		}
		var drawn strings.Builder
		if err := s.picture.write(&drawn); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, s.picture.name), []byte(drawn.String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
