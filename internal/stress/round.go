package stress

import (
	"fmt"
	"math/rand/v2"
	"time"

	"siftdb/bloom"
	"siftdb/db"
)

// Round says which run and which round of it a worker plays: everything else follows from the two.
type Round struct {
	Seed   uint64 // of the run
	Number int    // from 1
}

// ending is how a round ends.
type ending uint8

const (
	killed ending = iota // kill -9
	closed               // Close
	failed               // file operations fail for a while; then Close
)

// plan is what a round does.
type plan struct {
	options db.Options
	ending  ending
	lasts   time.Duration // until it ends, counted from when the store is open
	early   bool          // lasts is counted from the start of the process: the kill may come while the store opens
	trouble trouble       // of an ending that is failed
}

// rng gives the random numbers of one purpose within the round.
func (r Round) rng(purpose uint64) *rand.Rand {
	return rand.New(rand.NewPCG(r.Seed^purpose<<32, uint64(r.Number)))
}

// plan draws the round's plan.
func (r Round) plan() plan {
	rng := r.rng(1)
	p := plan{options: drawOptions(rng), lasts: time.Duration(50+rng.IntN(1500)) * time.Millisecond}
	switch n := rng.IntN(10); {
	case n < 5:
		p.ending = killed
		if p.early = rng.IntN(4) == 0; p.early {
			p.lasts = time.Duration(rng.IntN(100)) * time.Millisecond
		}
	case n < 7:
		p.ending = closed
	default:
		p.ending = failed
		p.trouble = drawTrouble(rng, p.lasts)
	}
	return p
}

// drawOptions draws settings under which everything happens often: memtables and tables are small, caches too.
func drawOptions(rng *rand.Rand) db.Options {
	return db.Options{
		MemTableSize: 64 << 10 << rng.IntN(4),
		TableSize:    32 << 10 << rng.IntN(4),
		BlockSize:    256 << rng.IntN(6),
		CacheSize:    pick[int64](rng, -1, 64<<10, 1<<20, 16<<20),
		OpenTables:   pick(rng, 2, 20, 1000),
		Workers:      1 + rng.IntN(3),
		LevelRatio:   2 + rng.IntN(9),
		Compaction:   pick(rng, db.Leveled, db.LazyLeveled),
		Compression:  pick(rng, db.Snappy, db.NoCompression),
		Filter: pick(rng, bloom.BitsPerKey(10), bloom.BitsPerKey(4), bloom.BitsPerKey(16), bloom.Classic(8),
			bloom.Blocked(12), bloom.Ribbon(10), bloom.Fuse(9), bloom.Cuckoo(12), bloom.ForRate(0.01), bloom.None),
		FilterPlan:    pick(rng, bloom.Adaptive, bloom.ByLevel, bloom.Uniform),
		FilterMemory:  pick[int64](rng, 0, 0, 2<<10, 64<<10),
		IgnoreFilters: rng.IntN(10) == 0,
	}
}

func pick[T any](rng *rand.Rand, from ...T) T { return from[rng.IntN(len(from))] }

// String is how the round is told of: enough to see what was special about it.
func (r Round) String() string {
	p := r.plan()
	end := [...]string{"kill", "close", "faults: " + p.trouble.String()}[p.ending]
	return fmt.Sprintf("round %d of seed %d (%v, plan %v, %s after %v)",
		r.Number, r.Seed, p.options.Filter, p.options.FilterPlan, end, p.lasts)
}
