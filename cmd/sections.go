package cmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/jedib0t/go-pretty/v6/text"
)

// section is one of several listings that a command writes together.
type section struct {
	name  string // of its field in JSON
	write func(w io.Writer, format outputFormat) error
}

// listed is the section of a listing.
func listed[T any](name string, columns []column[T], rows []T) section {
	return section{name, func(w io.Writer, format outputFormat) error {
		return writeListing(w, format, columns, allOf(rows))
	}}
}

// stated is the section of facts.
func stated(name string, facts []fact) section {
	return section{name, func(w io.Writer, format outputFormat) error { return writeFacts(w, format, facts) }}
}

// writeSections writes sections in the form asked for, and notes for people under them. JSON is one object, which has
// the notes, too. CSV has room for one listing: the main section.
func writeSections(w io.Writer, format outputFormat, main string, sections []section, notes []string) error {
	if format == outputJSON {
		return writeJSONSections(w, sections, notes)
	}
	if format == outputCSV {
		i := slices.IndexFunc(sections, func(s section) bool { return s.name == main })
		return sections[i].write(w, format)
	}
	for i, s := range sections {
		if i > 0 {
			if _, err := fmt.Fprintln(w); err != nil {
				return err
			}
		}
		if err := s.write(w, format); err != nil {
			return err
		}
	}
	for _, note := range notes {
		if format != outputMarkdown {
			note = text.WrapSoft(note, noteWidth)
		}
		if _, err := fmt.Fprintf(w, "\n%s\n", trimLines(note)); err != nil {
			return err
		}
	}
	return nil
}

// noteWidth is how many letters of a note fit on a line of a terminal.
const noteWidth = 100

func writeJSONSections(w io.Writer, sections []section, notes []string) error {
	var b bytes.Buffer
	open := "{"
	for _, s := range sections {
		fmt.Fprintf(&b, "%s\n%q: ", open, s.name)
		if err := s.write(&b, outputJSON); err != nil {
			return err
		}
		b.Truncate(b.Len() - 1) // the newline behind the section
		open = ","
	}
	fmt.Fprintf(&b, "%s\n\"notes\": ", open)
	encode := json.NewEncoder(&b)
	encode.SetEscapeHTML(false)
	if err := encode.Encode(append([]string{}, notes...)); err != nil {
		return err
	}
	b.WriteString("}\n")
	_, err := w.Write(b.Bytes())
	return err
}
