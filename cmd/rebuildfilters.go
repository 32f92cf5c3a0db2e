package cmd

import (
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"siftdb/bench"
	"siftdb/bloom"
	"siftdb/db"
)

// rebuildFiltersFlags are the flags of rebuild-filters.
type rebuildFiltersFlags struct {
	store  storeFlag
	filter filterFlag
	family family
}

func newRebuildFiltersCommand() *cobra.Command {
	f := &rebuildFiltersFlags{}
	c := &cobra.Command{
		Use:   "rebuild-filters",
		Short: "Give all tables the filters of another setting",
		Long: `Write each table whose filter was made under another setting anew, one after the other,
with the filter of --bits and --family. Data blocks are copied as they are, so that this
costs less than compact, and keeps tables where they are. Interrupted, it leaves each
table as it was or as it is to be; called again, it goes on.`,
		Example: `  siftdb rebuild-filters -d fruit --bits 12
  siftdb rebuild-filters -d fruit --bits 10 --family ribbon`,
		Args:              arguments,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              f.run,
	}
	f.store.add(c)
	c.Flags().Var(&f.filter, "bits", "bits of filter per key; off: no filters")
	addFamilyFlag(c, &f.family)
	return c
}

func (f *rebuildFiltersFlags) run(c *cobra.Command, _ []string) error {
	if f.filter.policy == nil {
		return usageError(c, "which filters? Give --bits, such as 10, or off")
	}
	policy := f.family.policy(f.filter.policy.AskedBits())
	return f.store.change(c, db.Options{Filter: policy}, func(store *db.DB) error {
		r := filterRebuild{store: store, policy: policy}
		start := time.Now()
		err := r.run(c)
		if err != nil && r.done() > 0 {
			note(c, "%s got the filter %v; called again, it goes on from there", plural(r.done(), "table"), policy)
		}
		if err != nil {
			return err
		}
		note(c, "rebuilt the filters of %s in %s; all have %v, %s in files", plural(r.done(), "table"),
			time.Since(start).Round(10*time.Millisecond), policy, humanize.IBytes(r.size()))
		return nil
	})
}

// filterRebuild is a rebuild that is watched.
type filterRebuild struct {
	store  *db.DB
	policy bloom.Policy
}

// watchEvery is how often a rebuild is looked at; it shows itself less often.
const watchEvery = 100 * time.Millisecond

// run rebuilds, and shows how far it is.
func (r *filterRebuild) run(c *cobra.Command) error {
	at := func(int) {}
	if n := r.outdated(); n > 0 {
		progress := bench.NewProgress(c.ErrOrStderr())
		progress.Begin("rebuilding filters of tables", n)
		defer progress.End()
		at = progress.At
	}
	ended := make(chan error, 1)
	go func() { ended <- r.store.RebuildFilters(c.Context(), r.policy) }()
	look := time.NewTicker(watchEvery)
	defer look.Stop()
	for {
		select {
		case err := <-ended:
			at(int(r.done()))
			return err
		case <-look.C:
			at(int(r.done()))
		}
	}
}

// outdated is how many tables were made under another policy, or for another place.
func (r *filterRebuild) outdated() (n int) {
	setting := filterSetting{name: r.policy.String(), policy: r.policy}
	for t := range r.store.Tables() {
		if setting.outdated(t) != "" {
			n++
		}
	}
	return n
}

// done is how many tables were rebuilt.
func (r *filterRebuild) done() int64 { return r.store.Metrics().FiltersRebuilt }

// size is the bytes of all filters in files.
func (r *filterRebuild) size() (bytes uint64) {
	for t := range r.store.Tables() {
		bytes += uint64(t.FilterBits+7) / 8
	}
	return bytes
}
