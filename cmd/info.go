package cmd

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"siftdb/db"
	"siftdb/internal/fsys"
	"siftdb/internal/manifest"
)

// infoFlags are the flags of info.
type infoFlags struct {
	store  storeFlag
	format outputFormat
}

func newInfoCommand() *cobra.Command {
	f := &infoFlags{}
	c := &cobra.Command{
		Use:   "info",
		Short: "Show what is in a store, in numbers",
		Long: `Show what is in a store, in numbers. Those of filters are of what is in memory: of
filters in planes what 10 bits per key allow, whatever they were made for. siftdb
filters shows what other --bits bring into memory.`,
		Example:           "  siftdb info -d fruit -o json",
		Args:              arguments,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              f.run,
	}
	f.store.add(c)
	addOutputFlag(c, &f.format)
	return c
}

func (f *infoFlags) run(c *cobra.Command, _ []string) error {
	dir, err := f.store.name(c)
	if err != nil {
		return err
	}
	return f.store.look(c, func(store *db.DB) error {
		if err := store.LoadFilters(c.Context()); err != nil { // or there would be no bytes of them yet
			return err
		}
		loaded, err := manifest.Load(fsys.OS, dir)
		if err != nil {
			return err
		}
		report, state := loaded.Report(), loaded.State()
		if err := loaded.Close(); err != nil {
			return err
		}
		facts := []fact{
			{name: "directory", title: "directory", value: dir},
			{name: "manifest", title: "manifest", value: manifest.Name(report.Number)},
			countFact("manifest_edits", "edits in the store's life", state.EditNumber),
		}
		metrics := store.Metrics()
		facts = append(facts, tableFacts(store, metrics.Levels)...)
		facts = append(facts,
			countFact("log_only_writes", "writes that are only in the log", metrics.LastSequence-uint64(state.LastSeq)),
			sizeFact("log_dropped_bytes", "dropped from the log's torn end", metrics.LogDropped),
			countFact("last_sequence", "last sequence number", metrics.LastSequence))
		facts = append(facts, filterFacts(store, metrics.Filter)...)
		return writeFacts(c.OutOrStdout(), f.format, facts)
	})
}

// tableFacts say what is in the tables.
func tableFacts(store *db.DB, levels []db.LevelMetrics) []fact {
	s := tableSums(store)
	facts := []fact{
		countFact("tables", "tables", s.tables),
		sizeFact("table_bytes", "size of tables", s.bytes),
		sizeFact("raw_bytes", "of keys and values", s.rawSize),
		countFact("entries", "entries in tables", s.entries),
		countFact("deletions", "deletions among them", s.deletions),
	}
	for _, l := range levels {
		if l.Tables == 0 {
			continue
		}
		facts = append(facts, fact{
			title: fmt.Sprintf("level %d", l.Level),
			text: fmt.Sprintf("%s, %s, entries: %s",
				plural(l.Tables, "table"), sizeText(l.Bytes), humanize.Comma(l.Entries)),
		})
		for _, of := range []fact{
			countFact("tables", "", l.Tables), sizeFact("bytes", "", l.Bytes), countFact("entries", "", l.Entries),
		} {
			of.name = fmt.Sprintf("level_%d_%s", l.Level, of.name)
			facts = append(facts, of)
		}
	}
	return facts
}

// filterFacts say what filters there are.
func filterFacts(store *db.DB, m db.FilterMetrics) []fact {
	kinds := make(map[string]int)
	for t := range store.Tables() {
		kinds[filterKind(t)]++
	}
	var list []string
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		list = append(list, fmt.Sprintf("%s (%s)", kind, plural(kinds[kind], "table")))
	}
	facts := []fact{
		{name: "filters", title: "filters", value: strings.Join(list, ", ")},
		sizeFact("filter_bytes", "size of filters", (m.Bits+7)/8),
		{name: "bits_per_key", title: "bits per key", value: m.BitsPerKey(), text: bitsText(m.BitsPerKey())},
	}
	if m.Bits == 0 {
		return facts
	}
	return append(facts, fact{name: "rate_expected", title: "expected rate",
		value: m.Expected(), text: percentText(m.Expected())})
}

// filterKind is what filter a table was made with, such as "blocked 10".
func filterKind(t db.TableInfo) string {
	if t.FilterFamily == "" {
		return "none"
	}
	return fmt.Sprintf("%s %g", t.FilterFamily, t.AskedBitsPerKey)
}
