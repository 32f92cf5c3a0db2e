package cmd

import (
	"context"
	"math"

	"github.com/spf13/cobra"

	"siftdb/compaction"
	"siftdb/internal/forecast"
	"siftdb/internal/simulate"
)

// simulateFlags are the flags of simulate.
type simulateFlags struct {
	keys, updates       amount
	deletes, zipf       float64
	keySize, valueSize  byteSize
	memTable, tableSize byteSize
	ratio, workers      int
	speed               float64
	seed                uint64
	format              outputFormat
}

func newSimulateCommand() *cobra.Command {
	f := &simulateFlags{keySize: 16, valueSize: 100, memTable: 32 << 20, tableSize: 32 << 20}
	c := &cobra.Command{
		Use:   "simulate",
		Short: "Compute what compactions would write for a workload, and how many tables lookups would meet",
		Long: `Play a workload against the planner of compactions, on tables that are lists of numbers:
first each of the --keys once, in random order, then --updates of keys drawn at random,
under each style of compaction.
No file is written. Printed are the bytes written to tables for each byte that came in
(the log is not among them), the room that tables take for each byte of the keys that are
there, at the end and at most, and the tables that hold a looked up key between their
bounds, which a lookup would have to ask if no filter spared them.

By default compactions take no time, which is when they write most. With --speed, each of
the --workers reads and writes that many bytes while one byte comes in; flushes pile up
in level 0 meanwhile, and writes stop where a store would stop them. The same flags give
the same numbers.

Sizes are what a key and a value take in a table: what compresses takes less.`,
		Example: `  siftdb simulate --keys 10M --value-size 50
  siftdb simulate --keys 1M --updates 10M --zipf 0.99 --deletes 0.1
  siftdb simulate --keys 10M --memtable 64MiB --speed 5 -o json`,
		Args:              arguments,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              f.run,
	}
	flags := c.Flags()
	flags.Var(&f.keys, "keys", "how many keys, such as 10M")
	flags.Var(&f.updates, "updates", "writes to these keys after that (default as many as keys)")
	flags.Float64Var(&f.deletes, "deletes", 0, "share of the updates that delete their key, 0 to 1")
	flags.Float64Var(&f.zipf, "zipf", 0, "Zipf exponent by which updates choose keys; 0: evenly")
	flags.Var(&f.keySize, "key-size", "size of a key")
	flags.Var(&f.valueSize, "value-size", "size of a value")
	flags.Var(&f.memTable, "memtable", "size at which a memtable is flushed")
	flags.Var(&f.tableSize, "table-size", "size at which a table ends")
	flags.IntVar(&f.ratio, "ratio", 10, "size of a level over that of the one above")
	flags.IntVar(&f.workers, "workers", 2, "compactions that may run at once")
	flags.Float64Var(&f.speed, "speed", 0, "bytes that a worker reads and writes while one comes in; 0: no limit")
	flags.Uint64Var(&f.seed, "seed", 1, "decides keys and orders")
	addOutputFlag(c, &f.format)
	return c
}

func (f *simulateFlags) run(c *cobra.Command, _ []string) error {
	if !c.Flags().Changed("updates") {
		f.updates = f.keys
	}
	if fault := f.fault(); fault != "" {
		return usageError(c, fault)
	}
	rows, err := f.simulate(c.Context())
	if err != nil {
		return err
	}
	return writeSimulated(c.OutOrStdout(), f.format, rows)
}

// fault says what is wrong with the flags.
func (f *simulateFlags) fault() string {
	in := func(x, low, high float64) bool { return x >= low && x <= high }
	switch {
	case f.keys == 0:
		return "how many keys? Give --keys, such as 10M"
	case f.keys > mostSimulated || f.updates > mostUpdates:
		return "--keys is up to 1e9, --updates up to 1e12: " +
			"the numbers of larger stores are those of smaller ones with smaller memtables"
	case f.keySize == 0 || max(f.keySize, f.valueSize) > 1<<30:
		return "a key has 1 byte to 1 GiB, a value up to 1 GiB"
	case !in(f.deletes, 0, 1):
		return "--deletes is a share, 0 to 1"
	case !in(f.zipf, 0, 4):
		return "--zipf is 0 to 4"
	case !in(float64(f.ratio), 2, 1000):
		return "--ratio is 2 to 1000"
	case !in(float64(f.workers), 1, 1024):
		return "--workers is 1 to 1024"
	case !in(f.speed, 0, 1e6):
		return "--speed is 0 to 1e6"
	case min(f.memTable, f.tableSize) < 1<<10 || max(f.memTable, f.tableSize) > 64<<30:
		return "--memtable and --table-size are 1KiB to 64GiB"
	}
	return ""
}

const (
	mostSimulated = 1e9
	mostUpdates   = 1e12
)

// simulate plays the workload under each style.
func (f *simulateFlags) simulate(ctx context.Context) ([]simulated, error) {
	w := simulate.Workload{
		Keys: int(f.keys), Updates: int(min(f.updates, math.MaxInt-simulate.MostKeys)),
		Deletes: f.deletes, Zipf: f.zipf, Seed: f.seed,
	}
	layout := forecast.Layout{
		KeyBytes: float64(f.keySize), ValueBytes: float64(f.valueSize), MemTable: int64(f.memTable),
	}
	store := simulate.Store{
		KeyBytes: int64(f.keySize), ValueBytes: int64(f.valueSize),
		MemTableWrites: int(min(layout.Flushed(), simulate.MostMemTable)),
		Options: compaction.Options{
			TableSize: int64(f.tableSize), BaseBytes: 2 * int64(f.memTable), LevelRatio: f.ratio,
		},
		Workers: f.workers, Speed: f.speed, Level0Stop: compaction.Level0Stop,
	}
	var rows []simulated
	for _, style := range compaction.Styles() {
		store.Options.Style = style
		result, err := simulate.Run(ctx, store, w)
		if err != nil {
			return nil, err
		}
		rows = append(rows, simulated{style.String(), result})
	}
	return rows, nil
}
