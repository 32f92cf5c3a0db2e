package cmd

import (
	"math"
	"time"

	"github.com/spf13/cobra"

	"siftdb/internal/forecast"
)

// planFlags are the flags of plan.
type planFlags struct {
	keys                amount
	keySize, valueSize  byteSize
	memTable, tableSize byteSize
	ratio, level0       int
	hits, skew          float64
	bits                float64
	memory              byteSize
	target              float64
	latency             time.Duration
	format              outputFormat
}

func newPlanCommand() *cobra.Command {
	f := &planFlags{keySize: 16, valueSize: 100, memTable: 32 << 20, tableSize: 32 << 20}
	c := &cobra.Command{
		Use:   "plan",
		Short: "Compute what filters would cost and save in a store of any size",
		Long: `Compute, for a store that need not exist, the levels that it would have and, for each
family of filters and each way to share memory out, the memory, the disk reads of a
lookup and their time at a device's latency: with so many --bits of filter per key, with
the --memory there is, or with what keeps the wasted reads of an absent key's lookup
below --target.

Sizes are what a key and a value take in a table: what compresses takes less. Level 0
holds 0 to 3 tables in a store that is not behind with its compactions.`,
		Example: `  siftdb plan --keys 2e9 --key-size 24 --value-size 100 --latency 100us
  siftdb plan --keys 100M --memory 64MiB --hits 0.9
  siftdb plan --keys 100M --target 0.001 -o csv`,
		Args:              arguments,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              f.run,
	}
	flags := c.Flags()
	flags.Var(&f.keys, "keys", "how many keys, such as 2e9, 2G or 100M")
	flags.Var(&f.keySize, "key-size", "size of a key")
	flags.Var(&f.valueSize, "value-size", "size of a value")
	flags.IntVar(&f.ratio, "ratio", 10, "size of a level over that of the one above")
	flags.Var(&f.memTable, "memtable", "size at which a memtable is flushed")
	flags.Var(&f.tableSize, "table-size", "size at which a table ends")
	flags.IntVar(&f.level0, "level0", 2, "tables in level 0")
	flags.Float64Var(&f.hits, "hits", 0, "share of lookups that find their key, 0 to 1")
	flags.Float64Var(&f.skew, "skew", 0, "Zipf exponent of lookups over the tables of a level; 0: evenly")
	flags.Float64Var(&f.bits, "bits", 10, "bits of filter per key")
	flags.Var(&f.memory, "memory", "memory for filters instead of bits per key")
	flags.Float64Var(&f.target, "target", 0, "wasted reads for an absent key, instead of bits per key")
	flags.DurationVar(&f.latency, "latency", 100*time.Microsecond, "time of a disk read")
	addOutputFlag(c, &f.format)
	return c
}

func (f *planFlags) run(c *cobra.Command, _ []string) error {
	if fault := f.fault(c); fault != "" {
		return usageError(c, fault)
	}
	p := f.plan()
	for _, r := range p.rows {
		if !r.reached {
			note(c, "%v: no memory keeps wasted reads at %g or below", r.kind, f.target)
		}
	}
	return p.write(c.OutOrStdout(), f.format)
}

// fault says what is wrong with the flags.
func (f *planFlags) fault(c *cobra.Command) string {
	in := func(x, low, high float64) bool { return x >= low && x <= high }
	settings := 0
	for _, name := range []string{"bits", "memory", "target"} {
		if c.Flags().Changed(name) {
			settings++
		}
	}
	switch {
	case settings > 1:
		return "--bits, --memory and --target exclude each other"
	case f.keys == 0:
		return "how many keys? Give --keys, such as 2e9"
	case f.keySize+f.valueSize == 0 || max(f.keySize, f.valueSize) > 1<<30:
		return "a key with its value has 1 byte to 2 GiB"
	case !in(float64(f.ratio), 2, 1000):
		return "--ratio is 2 to 1000"
	case !in(float64(f.level0), 0, 1000):
		return "--level0 is 0 to 1000"
	case min(f.memTable, f.tableSize) < 1<<10 || max(f.memTable, f.tableSize) > 64<<30:
		return "--memtable and --table-size are 1KiB to 64GiB"
	case !in(f.hits, 0, 1):
		return "--hits is a share, 0 to 1"
	case !in(f.skew, 0, 4):
		return "--skew is 0 to 4"
	case !in(f.bits, math.SmallestNonzeroFloat64, 64):
		return "--bits is more than 0, up to 64"
	case c.Flags().Changed("memory") && f.memory == 0:
		return "--memory 0 is no filters"
	case c.Flags().Changed("target") && !(f.target > 0):
		return "--target is more than 0"
	case f.latency < 0:
		return "--latency is not negative"
	}
	return ""
}

// plan computes a row for each kind of filters.
func (f *planFlags) plan() *planned {
	layout := forecast.Layout{
		Keys: uint64(f.keys), KeyBytes: float64(f.keySize), ValueBytes: float64(f.valueSize), Ratio: f.ratio,
		MemTable: int64(f.memTable), TableSize: int64(f.tableSize), Level0: f.level0, Skew: f.skew,
	}
	store := layout.Store()
	store.Found = f.hits
	p := &planned{levels: layout.Levels(), latency: f.latency, hits: f.hits, skew: f.skew}
	for _, kind := range forecast.Kinds() {
		p.rows = append(p.rows, f.filters(store, kind))
	}
	return p
}

// filters computes what filters of a kind would be at the bits that the flags ask for, or work out to.
func (f *planFlags) filters(store forecast.Store, kind forecast.Kind) plannedFilters {
	r := plannedFilters{kind: kind, reached: true}
	bits := f.bits
	switch {
	case kind.Family == forecast.None.Family:
		bits = 0
	case f.memory > 0:
		bits = min(64, 8*float64(f.memory)/float64(f.keys))
	case f.target > 0:
		bits, r.reached = store.BitsFor(kind, f.target, func(o forecast.Outcome) float64 { return o.Absent })
	}
	if r.reached {
		r.outcome = store.Foretell(kind, bits)
	}
	return r
}
