package cmd

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"siftdb/db"
	"siftdb/sstable"
)

// filtersFlags are the flags of filters.
type filtersFlags struct {
	store  storeFlag
	keys   byteForm
	probe  string
	format outputFormat
}

func newFiltersCommand() *cobra.Command {
	f := &filtersFlags{}
	c := &cobra.Command{
		Use:   "filters",
		Short: "Show what each filter holds, promises and does",
		Long: `Show, for the store, each level and each table, the size of the filters, the rate of
false positives that theory gives, the rate that was measured with its 95 % interval,
the checks and what they saved. Marked are filters that cannot be used, and rates whose
interval lies more than a tenth away from the expected one.

Counters begin when a store is opened, so that there is nothing measured in a store that
is opened to be looked at, unless --probe looks keys up first: the keys of a file, on
each line one, alone or before a tab; or so many keys between the existing ones, which
are not there and which no table's range keeps from its filter.`,
		Example:           "  siftdb filters -d fruit\n  siftdb filters -d fruit --probe 100k\n  siftdb filters -d fruit --probe absent.txt.gz -o json",
		Args:              args(cobra.NoArgs),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              f.run,
	}
	f.store.add(c)
	addKeysFlag(c, &f.keys)
	c.Flags().StringVar(&f.probe, "probe", "", "first look up the keys of a `FILE` (- is the input), or so many made ones")
	addOutputFlag(c, &f.format)
	return c
}

func (f *filtersFlags) run(c *cobra.Command, _ []string) error {
	return f.store.look(c, func(store *db.DB) error {
		noteNoTables(c, store)
		if err := store.LoadFilters(c.Context()); err != nil {
			return err
		}
		if f.probe != "" {
			if err := f.lookUp(c, store); err != nil {
				return err
			}
		}
		dir, err := f.store.name(c)
		if err != nil {
			return err
		}
		return writeListing(c.OutOrStdout(), f.format, filterColumns(), allOf(filterRows(store, dir)))
	})
}

// filterRow is the filters of a store, a level or a table.
type filterRow struct {
	scope string // "store", "level" or "table"
	level int    // -1 for the store
	table string
	// family and asked are of tables only, and so is problem: why the filter cannot be used.
	family  string
	asked   float64
	problem error
	metrics db.FilterMetrics
}

// filterRows has the store first, then each level that holds or held something, and its tables.
func filterRows(store *db.DB, dir string) []filterRow {
	metrics := store.Metrics()
	tables := make(map[int][]db.TableInfo)
	for t := range store.Tables() {
		tables[t.Level] = append(tables[t.Level], t)
	}
	rows := []filterRow{{scope: "store", level: -1, metrics: metrics.Filter}}
	for _, level := range metrics.Levels {
		if level.Tables == 0 && level.Filter.Checks == 0 {
			continue
		}
		rows = append(rows, filterRow{scope: "level", level: level.Level, metrics: level.Filter})
		for _, t := range tables[level.Level] {
			rows = append(rows, filterRow{
				scope: "table", level: t.Level, table: t.File, family: t.FilterFamily, asked: t.AskedBitsPerKey,
				problem: filterProblem(filepath.Join(dir, t.File)), metrics: t.Filter,
			})
		}
	}
	return rows
}

// filterProblem says why a table's filter cannot be used, or the table itself. The file is read apart from the
// store, whose counters and open tables stay as they are.
func filterProblem(file string) error {
	return withTable(file, func(r *sstable.Reader) error {
		_, err := r.LoadFilter()
		return err
	})
}

// where is the row's name for people.
func (r filterRow) where() string {
	switch r.scope {
	case "store":
		return "store"
	case "level":
		return fmt.Sprintf("L%d", r.level)
	}
	return "   " + r.table
}

// absent is how many of the row's checks were for keys that are not there: what rates are about.
func (r filterRow) absent() int64 { return r.metrics.Skips + r.metrics.FalsePasses }

func (r filterRow) interval() interval { return wilson(r.metrics.FalsePasses, r.absent()) }

// mark is what must not be overlooked.
func (r filterRow) mark() string {
	switch {
	case r.problem != nil:
		return "unusable: " + reasonOf(r.problem)
	case r.scope == "table" && r.family == "":
		return "no filter"
	case r.absent() == 0:
		return ""
	}
	return r.interval().besideTheory(r.metrics.Expected())
}

func filterColumns() []column[filterRow] {
	type R = filterRow
	// measured makes a number of a rate, and nothing of it before the first check of an absent key.
	measured := func(of func(R) float64) func(R) any {
		return func(r R) any {
			if r.absent() == 0 {
				return nil
			}
			return of(r)
		}
	}
	return []column[R]{
		{name: "scope", title: "filters of", value: func(r R) any { return r.scope }, text: R.where},
		{name: "level", value: func(r R) any {
			if r.level < 0 {
				return nil
			}
			return r.level
		}},
		{name: "table", value: func(r R) any { return textOrNil(r.table) }},
		{name: "family", title: "kind", value: func(r R) any { return textOrNil(r.family) }},
		countColumn("keys", "keys", func(r R) int64 { return r.metrics.Keys }),
		sizeColumn("filter_bytes", "size", func(r R) int64 { return (r.metrics.Bits + 7) / 8 }),
		{name: "bits_asked", title: "asked", value: func(r R) any {
			if r.family == "" {
				return nil
			}
			return r.asked
		}},
		{name: "bits_per_key", title: "bits/key", value: func(r R) any { return r.metrics.BitsPerKey() },
			text: func(r R) string { return bitsText(r.metrics.BitsPerKey()) }},
		{name: "rate_expected", title: "expected", value: func(r R) any {
			if r.metrics.Bits == 0 {
				return nil
			}
			return r.metrics.Expected()
		}, text: R.expectedText},
		{name: "rate_measured", title: "measured (95 %)", value: measured(func(r R) float64 { return r.metrics.Rate() }), text: R.measuredText},
		{name: "rate_low", value: measured(func(r R) float64 { return r.interval().low })},
		{name: "rate_high", value: measured(func(r R) float64 { return r.interval().high })},
		countColumn("checks", "checks", func(r R) int64 { return r.metrics.Checks }),
		countColumn("skips", "skips", func(r R) int64 { return r.metrics.Skips }),
		countColumn("true_passes", "true", func(r R) int64 { return r.metrics.TruePasses }),
		countColumn("false_passes", "false", func(r R) int64 { return r.metrics.FalsePasses }),
		countColumn("reads_saved", "reads saved", func(r R) int64 { return r.metrics.BlockReadsSkipped }),
		{name: "mark", title: "mark", value: func(r R) any { return textOrNil(r.mark()) }},
	}
}

func (r filterRow) expectedText() string {
	if r.metrics.Bits == 0 {
		return ""
	}
	return percentText(r.metrics.Expected())
}

func (r filterRow) measuredText() string {
	if r.absent() == 0 {
		return ""
	}
	i := r.interval()
	return fmt.Sprintf("%s (%s to %s)", percentText(r.metrics.Rate()), percentText(i.low), percentText(i.high))
}

// percentText is a rate for people.
func percentText(rate float64) string { return fmt.Sprintf("%.3g %%", 100*rate) }
