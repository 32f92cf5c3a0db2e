package cmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"siftdb/sstable"
)

// tablePropertiesFlags are the flags of table properties.
type tablePropertiesFlags struct {
	keys   byteForm
	format outputFormat
}

func newTablePropertiesCommand() *cobra.Command {
	f := &tablePropertiesFlags{}
	c := &cobra.Command{
		Use:               "properties FILE",
		Short:             "Print what a table file says of itself",
		Example:           "  siftdb table properties fruit/000002.sst",
		Args:              arguments,
		ValidArgsFunction: filesNamed("sst"),
		RunE:              f.run,
	}
	addKeysFlag(c, &f.keys)
	addOutputFlag(c, &f.format)
	return c
}

func (f *tablePropertiesFlags) run(c *cobra.Command, given []string) error {
	return withTable(given[0], func(r *sstable.Reader) error {
		return writeFacts(c.OutOrStdout(), f.format, append(f.contents(r.Properties()), filterOfTable(r)...))
	})
}

func (f *tablePropertiesFlags) contents(p *sstable.Properties) []fact {
	facts := []fact{
		countFact("entries", "entries", p.Entries),
		countFact("keys", "keys", p.Keys),
		countFact("deletions", "deletions", p.Deletions),
		{name: "smallest", title: "smallest key", value: f.keys.show(p.Smallest.User)},
		{name: "largest", title: "largest key", value: f.keys.show(p.Largest.User)},
		countFact("smallest_seq", "smallest sequence number", uint64(p.SmallestSeq)),
		countFact("largest_seq", "largest sequence number", uint64(p.LargestSeq)),
		sizeFact("file_bytes", "size of the file", p.FileSize),
		sizeFact("raw_key_bytes", "size of keys", int64(p.RawKeyBytes)),
		sizeFact("raw_value_bytes", "size of values", int64(p.RawValueBytes)),
		countFact("data_blocks", "data blocks", p.DataBlocks),
		sizeFact("data_bytes", "size of data blocks", int64(p.DataBytes)),
		sizeFact("index_bytes", "size of the index", int64(p.IndexBytes)),
		sizeFact("block_bytes", "block size asked for", int64(p.BlockSize)),
		{name: "compression", title: "compression", value: p.Compression.String()},
	}
	if len(p.Replaces) > 0 {
		facts = append(facts, fact{name: "made_of", title: "made of tables", value: numbersText(p.Replaces)})
	}
	return facts
}

// numbersText is numbers of tables as their files are named, but for the ending.
func numbersText(numbers []uint64) string {
	var texts []string
	for _, n := range numbers {
		texts = append(texts, fmt.Sprintf("%06d", n))
	}
	return strings.Join(texts, " ")
}

// filterOfTable says what filter a table has.
func filterOfTable(r *sstable.Reader) []fact {
	p := r.Properties()
	facts := []fact{
		{name: "filter", title: "filter asked for", value: p.Filter},
		{name: "filter_family", title: "filter", value: p.FilterFamily},
		sizeFact("filter_bytes", "size of the filter", int64(p.FilterBytes)),
	}
	filter, problem := r.LoadFilter()
	if filter != nil {
		facts = append(facts, fact{name: "rate_expected", title: "expected rate",
			value: filter.ExpectedRate(), text: percentText(filter.ExpectedRate())})
	}
	if problem != nil {
		facts = append(facts, fact{name: "filter_problem", title: "the filter is unusable", value: reasonOf(problem)})
	}
	return facts
}
