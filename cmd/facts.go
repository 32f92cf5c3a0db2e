package cmd

import (
	"io"
	"slices"

	"github.com/dustin/go-humanize"
)

// fact is one thing that is known of a whole, such as a store.
type fact struct {
	// name is that of the field in JSON and CSV, title is for people; without one of them the fact is not shown there.
	name, title string
	value       any
	text        string // for people; empty: the value
}

func (f fact) forPeople() string {
	if f.text != "" {
		return f.text
	}
	return plainText(f.value)
}

// countFact is a fact that is a number of things.
func countFact[N wholeNumber](name, title string, n N) fact {
	return fact{name, title, n, countText(n)}
}

// sizeFact is a fact that is a number of bytes.
func sizeFact(name, title string, bytes int64) fact {
	return fact{name, title, bytes, sizeText(bytes)}
}

// sizeText is a number of bytes for people.
func sizeText(bytes int64) string { return humanize.IBytes(uint64(max(0, bytes))) }

// writeFacts writes facts in the form asked for: JSON as one object, all else as pairs.
func writeFacts(w io.Writer, format outputFormat, facts []fact) error {
	switch format {
	case outputJSON:
		return writeFactObject(w, named(facts))
	case outputCSV:
		return writeCSVRows(w, []column[fact]{
			{name: "name", value: func(f fact) any { return f.name }},
			{name: "value", value: func(f fact) any { return f.value }},
		}, allOf(named(facts)))
	}
	var g grid
	if format == outputMarkdown {
		g.titles = []string{"what", "value"}
	}
	for _, f := range facts {
		if f.title != "" {
			g.rows = append(g.rows, []string{f.title, f.forPeople()})
		}
	}
	return g.write(w, format)
}

// named are the facts that programs get.
func named(facts []fact) []fact {
	return slices.DeleteFunc(slices.Clone(facts), func(f fact) bool { return f.name == "" })
}

func writeFactObject(w io.Writer, facts []fact) error {
	columns := make([]column[[]fact], len(facts))
	for i, f := range facts {
		columns[i] = column[[]fact]{name: f.name, value: func([]fact) any { return f.value }}
	}
	object, err := jsonObject(columns, facts)
	if err != nil {
		return err
	}
	_, err = w.Write(append(object, '\n'))
	return err
}
