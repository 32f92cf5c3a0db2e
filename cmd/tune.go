package cmd

import (
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"siftdb/bloom"
	"siftdb/db"
)

// tuneFlags are the flags of tune.
type tuneFlags struct {
	store  storeFlag
	probe  probeFlag
	bits   float64
	plan   planFlag
	memory byteSize
	target float64
	cache  byteSize
	format outputFormat
}

func newTuneCommand() *cobra.Command {
	f := &tuneFlags{cache: 64 << 20}
	c := &cobra.Command{
		Use:   "tune",
		Short: "Say what other filters, more of them, or more block cache would save",
		Long: `Compute what the store's filters waste, and what each family and each way to share memory
out would waste in their place, at each number of bits per key; where the next MiB should
go, to which levels' filters or to the block cache; and what to do.

What counts is which tables are asked for keys that they do not hold. Without --probe,
lookups are taken to be for absent keys from all over the range. With a file of keys, in
the order in which a program looked them up, it is measured, and so is the block cache:
they are looked up twice, with --cache and with twice as much, the first half of them to
fill it. The keys are held in memory.

--bits and --plan are what the store runs with: without --bits, what most keys' filters
were made for.`,
		Example: `  siftdb tune -d fruit
  siftdb tune -d fruit --probe lookups.txt.gz --cache 16MiB
  siftdb tune -d fruit --target 0.001 -o json`,
		Args:              arguments,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              f.run,
	}
	f.store.add(c)
	f.probe.add(c, "measure with the keys of a `FILE` (- is the input), or with so many made, absent ones")
	flags := c.Flags()
	flags.Float64Var(&f.bits, "bits", 0, "bits of filter per key that the store runs with")
	addPlanFlag(c, &f.plan)
	flags.Var(&f.memory, "memory", "also say which filters waste least in so much memory")
	flags.Float64Var(&f.target, "target", 0,
		"also say what it takes to waste no more reads for a lookup, such as 0.001")
	flags.Var(&f.cache, "cache", "block cache that the store runs with")
	addOutputFlag(c, &f.format)
	return c
}

func (f *tuneFlags) run(c *cobra.Command, _ []string) error {
	switch {
	case !(f.bits >= 0 && f.bits <= 64):
		return usageError(c, "--bits is more than 0, up to 64")
	case c.Flags().Changed("target") && !(f.target > 0):
		return usageError(c, "--target is more than 0")
	}
	dir, err := f.store.name(c)
	if err != nil {
		return err
	}
	t := &tuning{dir: dir}
	if err := f.open(c, int64(f.cache), func(store *db.DB) error { return f.look(c, store, t) }); err != nil {
		return err
	}
	if len(t.tables) == 0 {
		return nil
	}
	if _, made := f.probe.made(); t.keys.len() > 0 && !made {
		if err := f.priceCache(c, t); err != nil {
			return err
		}
	}
	t.compute()
	return t.write(c.OutOrStdout(), f.format, t.advice(int64(f.memory), f.target))
}

// open calls fn with the store opened for reading only, its filters in memory as the flags say. Memory is not shared
// out by measured misses, so that a probe repeats.
func (f *tuneFlags) open(c *cobra.Command, cache int64, fn func(store *db.DB) error) error {
	o := db.Options{ReadOnly: true, CacheSize: cache, FilterPlan: bloom.ByLevel}
	if cache == 0 {
		o.CacheSize = -1
	}
	if f.plan.bloom() == bloom.Uniform {
		o.FilterPlan = bloom.Uniform
	}
	return f.store.with(c, o, func(store *db.DB) error {
		if err := store.SetBitsPerKey(f.bitsOf(store)); err != nil {
			return err
		}
		if err := store.LoadFilters(c.Context()); err != nil {
			return err
		}
		return fn(store)
	})
}

// bitsOf is --bits or what the filters of most keys were made for.
func (f *tuneFlags) bitsOf(store *db.DB) float64 {
	if f.bits > 0 {
		return f.bits
	}
	common := commonSetting(store)
	for t := range store.Tables() {
		if t.FilterPolicy == common.name {
			return t.AskedBitsPerKey
		}
	}
	return 0
}

// look finds out what the store has, and what it is asked.
func (f *tuneFlags) look(c *cobra.Command, store *db.DB, t *tuning) error {
	noteNoTables(c, store)
	t.take(store, f.bitsOf(store), f.plan.bloom())
	if f.probe.word == "" || len(t.tables) == 0 {
		return nil
	}
	err := f.probe.each(c, store, func(key []byte) error { t.keys.add(key); return nil })
	if err != nil {
		return err
	}
	if t.keys.len() == 0 {
		return fmt.Errorf("siftdb: --probe %s: no keys to look up", f.probe.word)
	}
	probed, err := t.keys.run(c.Context(), store)
	if err != nil {
		return err
	}
	t.learn(probed)
	const enough = 20 // for a table, for its share to be known within a fifth
	if t.keys.len() < enough*len(t.tables) {
		note(c, "%s for %s are few: what would be best for them is only partly best for others",
			plural(t.keys.len(), "lookup"), plural(len(t.tables), "table"))
	}
	return nil
}

// smallestCache is what is priced where there is no block cache.
const smallestCache = 8 << 20

// priceCache measures what more block cache saves, by looking the same keys up with more of it.
func (f *tuneFlags) priceCache(c *cobra.Command, t *tuning) error {
	more := max(int64(f.cache), smallestCache)
	return f.open(c, int64(f.cache)+more, func(store *db.DB) error {
		with, err := t.keys.run(c.Context(), store)
		if err != nil {
			return err
		}
		t.cache = &cachePrice{
			bytes: int64(f.cache), more: more,
			saved: math.Max(0, part(t.probed.warm.blocks-with.warm.blocks, t.probed.warm.lookups)),
		}
		return nil
	})
}
