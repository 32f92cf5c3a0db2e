package cmd

import (
	"github.com/spf13/cobra"

	"siftdb/sstable"
)

func newTableCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE",
		Short: "Read a table file whole and check it",
		Long: `Read a table file whole and check its checksums, the order of keys, its counts, and each
key against its filter. The first damage is told with its offset, and exit code 4.`,
		Example:           "  siftdb table check fruit/000002.sst",
		Args:              arguments,
		ValidArgsFunction: filesNamed("sst"),
		RunE: func(c *cobra.Command, given []string) error {
			return withTable(given[0], func(r *sstable.Reader) error {
				if err := r.Verify(c.Context()); err != nil {
					return err
				}
				note(c, "%s is sound", given[0])
				return nil
			})
		},
	}
}
