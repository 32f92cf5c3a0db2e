package cmd

import (
	"github.com/spf13/cobra"

	"siftdb/bloom"
	"siftdb/db"
)

// filtersFlags are the flags of filters.
type filtersFlags struct {
	store  storeFlag
	probe  probeFlag
	worst  worstFlag
	filter filterFlag
	family family
	format outputFormat
}

func newFiltersCommand() *cobra.Command {
	f := &filtersFlags{}
	c := &cobra.Command{
		Use:   "filters",
		Short: "Show what each filter holds, promises and does",
		Long: `Show, for the store, each level and each table, the size of the filters, the rate of
false positives that theory gives, the rate that was measured with its 95 % interval,
the checks and what they saved. Planes are those in memory, of those in the file.

Marked are filters that cannot be used; rates that contradict theory, being a quarter or
more away from it, which chance does not explain; and tables made under another setting
than --bits and --family, or without them than most keys: rebuild-filters changes these.
Of filters in planes so much is in memory as --bits allow, 10 bits per key without it.
With --worst only tables are listed: first those whose filters cannot be used or whose
rate contradicts theory, then those whose filters let most reads pass for nothing or,
before the first check, should.

Counters begin when a store is opened, so that there is nothing measured in a store that
is opened to be looked at, unless --probe looks keys up first: the keys of a file, on
each line one, alone or before a tab; or so many keys between the existing ones, which
are not there and which no table's range keeps from its filter.`,
		Example: `  siftdb filters -d fruit
  siftdb filters -d fruit --probe 100k
  siftdb filters -d fruit --probe absent.txt.gz -o json
  siftdb filters -d fruit --probe 100k --worst=5`,
		Args:              arguments,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              f.run,
	}
	f.store.add(c)
	f.probe.add(c, "first look up the keys of a `FILE` (- is the input), or so many made ones")
	f.worst.add(c)
	c.Flags().Var(&f.filter, "bits", "mark tables made with other bits of filter per key, or another --family")
	addFamilyFlag(c, &f.family)
	addOutputFlag(c, &f.format)
	return c
}

func (f *filtersFlags) run(c *cobra.Command, _ []string) error {
	return f.store.with(c, db.Options{ReadOnly: true, Filter: f.wanted()}, func(store *db.DB) error {
		noteNoTables(c, store)
		if err := store.LoadFilters(c.Context()); err != nil {
			return err
		}
		if f.probe.word != "" {
			if err := f.probe.lookUp(c, store); err != nil {
				return err
			}
		}
		dir, err := f.store.name(c)
		if err != nil {
			return err
		}
		rows := filterRows(store, dir, f.setting(store))
		return writeListing(c.OutOrStdout(), f.format, filterColumns(), allOf(f.worst.of(rows)))
	})
}

// setting is what the tables' filters should have been made for.
func (f *filtersFlags) setting(store *db.DB) filterSetting {
	if policy := f.wanted(); policy != nil {
		return filterSetting{name: policy.String(), policy: policy}
	}
	return commonSetting(store)
}

// wanted is the policy of --bits and --family; nil without --bits.
func (f *filtersFlags) wanted() bloom.Policy {
	if f.filter.policy == nil {
		return nil
	}
	return f.family.policy(f.filter.policy.AskedBits())
}
