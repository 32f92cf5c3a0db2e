package db

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"runtime"
	"strings"

	"siftdb/bloom"
	"siftdb/compaction"
	"siftdb/internal/fsys"
	"siftdb/sstable"
)

// Options tune a store. Every zero value is the safe default; what is unsafe is named so. Options are read at
// Open and not kept: they may be shared and changed afterwards.
//
// A value that cannot be used, such as a negative TableSize, is an *OptionError of Open. Those too small to work with
// are raised: MemTableSize and TableSize to 16 KiB, BlockSize to 64 bytes, LevelRatio to 2.
type Options struct {
	// ReadOnly changes nothing in the directory, not even by recovery. What is still in the log is replayed in
	// memory. Several readers may share a directory; a writer excludes them.
	ReadOnly bool
	// MustExist makes Open fail with ErrNoStore instead of making a store.
	MustExist bool
	// NoSync makes writes return before they are on disk. A crash may then lose the last ones; what is left is
	// always a prefix of the order in which they were made. Single writes may ask for Sync or NoSync.
	NoSync bool

	// MemTableSize is about how many bytes of writes are held in memory before they become a table; 0: 32 MiB.
	// Up to three such memtables exist while writes come faster than they are flushed.
	MemTableSize int64
	// TableSize is about how large the tables made by compaction get, in bytes; 0: 32 MiB.
	TableSize int64
	// CacheSize is the room for data blocks, in bytes; 0: 64 MiB; below 0: no cache. Blocks are held as they are in the
	// tables, compressed, and uncompressed where they are read often or there is room for all. If the tables that are
	// there at Open all fit in, they are brought in once they are read; see Metrics.WarmUpReads.
	CacheSize int64
	// BlockSize is about how many bytes a data block holds before compression; 0: 4 KiB.
	BlockSize int
	// OpenTables is how many table files may be open at once; 0: 1000. It is kept below what the process may
	// open. A file that has to make room while it is read is closed after the read.
	OpenTables int
	// Workers is how many compactions may run at once, beside the one flush; 0: half the processors, at least 2.
	Workers int
	// LevelRatio is the size of a level over that of the one above; 0: 10.
	LevelRatio int
	// Compaction is how the levels are kept; the zero value is Leveled. A store may be opened with another style at any
	// time: compactions go on from what is there.
	Compaction CompactionStyle
	// NoCompaction lets tables pile up in level 0, without limit, until Compact is called: for measuring.
	NoCompaction bool
	// Compression of data blocks; the zero value is Snappy.
	Compression Compression

	// Filter says what filter each new table gets; nil: bloom.BitsPerKey(10); bloom.None: no filters. Tables
	// that are there keep and use the filters they have; of filters in planes as many planes are in memory as the
	// policy's bits per key allow, whatever their tables were made for; bloom.None changes nothing about them.
	Filter bloom.Policy
	// FilterPlan says how the memory for filters is shared out; the zero value is bloom.Adaptive.
	FilterPlan bloom.Plan
	// FilterMemory is the most bytes that filters may take in memory; 0: no limit beyond the bits per key.
	FilterMemory int64
	// IgnoreFilters reads as if the tables had no filters. The answers are the same.
	IgnoreFilters bool

	// Logger gets a line for each flush, compaction, stall and damage found; nil: silent.
	Logger *slog.Logger
	// FS holds the files; nil: the operating system's.
	FS FS
}

// FS is the file system a store lives in; see its methods for what the store relies on. Programs may wrap
// OSFiles to count, slow or fail file operations.
type FS = fsys.FS

// File is an open file of an FS.
type File = fsys.File

// LockMode says how FS.Lock is asked for the store's lock.
type LockMode = fsys.LockMode

// OSFiles is the operating system's files.
func OSFiles() FS { return fsys.OS }

// MemFiles is a new, empty file system in memory, for tests and examples. It lives as long as it is used.
func MemFiles() FS { return fsys.NewMem() }

// Compression is the codec of data blocks.
type Compression = sstable.Compression

// The codecs of data blocks. A block that does not shrink is stored as it is.
const (
	Snappy        = sstable.Snappy
	NoCompression = sstable.NoCompression
)

// CompactionStyle says how the levels are kept.
type CompactionStyle = compaction.Style

// The styles of compaction.
const (
	// Leveled keeps one sorted run a level, LevelRatio times the one above: the fewest runs for a read to look at.
	Leveled = compaction.Leveled
	// LazyLeveled lets runs stand over each other until they are worth a merge into the last level. It writes less
	// where the store is many times larger than LevelRatio memtables; scans, and reads of keys that are there, look
	// at more runs.
	LazyLeveled = compaction.LazyLeveled
)

// Smallest sizes: smaller options are raised to these.
const (
	minMemTableSize = 16 << 10
	minTableSize    = 16 << 10
	minBlockSize    = 64
)

// withDefaults checks o, all faults at once, and fills in what is left to the store.
func (o *Options) withDefaults() (Options, error) {
	var c Options
	if o != nil {
		c = *o
	}
	if err := c.validate(); err != nil {
		return c, err
	}
	c.MemTableSize = sizeOr(c.MemTableSize, 32<<20, minMemTableSize)
	c.TableSize = sizeOr(c.TableSize, 32<<20, minTableSize)
	c.BlockSize = int(sizeOr(int64(c.BlockSize), 4<<10, minBlockSize))
	c.OpenTables = min(int(sizeOr(int64(c.OpenTables), 1000, 1)), mostOpenTables())
	c.Workers = int(sizeOr(int64(c.Workers), int64(max(2, runtime.GOMAXPROCS(0)/2)), 1))
	c.LevelRatio = int(sizeOr(int64(c.LevelRatio), 10, 2))
	if c.CacheSize == 0 {
		c.CacheSize = 64 << 20
	}
	if c.Filter == nil {
		c.Filter = standardFilter()
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.FS == nil {
		c.FS = OSFiles()
	}
	return c, nil
}

// mostOpenTables leaves half of the files that the process may open to everything else, the files that compactions
// write among them.
func mostOpenTables() int { return max(1, fsys.OpenFileLimit()/2) }

// sizeOr is size, or standard when it is 0, and at least smallest.
func sizeOr(size, standard, smallest int64) int64 {
	if size == 0 {
		size = standard
	}
	return max(size, smallest)
}

func (o *Options) validate() error {
	var faults []error
	fault := func(option, reason string, args ...any) {
		faults = append(faults, &OptionError{Option: option, Reason: fmt.Sprintf(reason, args...)})
	}
	for _, size := range []struct {
		option string
		value  int64
		most   int64
	}{
		{"MemTableSize", o.MemTableSize, 64 << 30},
		{"FilterMemory", o.FilterMemory, math.MaxInt64},
		{"TableSize", o.TableSize, 64 << 30},
		{"BlockSize", int64(o.BlockSize), 1 << 30},
		{"OpenTables", int64(o.OpenTables), 1 << 30},
		{"Workers", int64(o.Workers), 1024},
		{"LevelRatio", int64(o.LevelRatio), 1000},
	} {
		if size.value < 0 || size.value > size.most {
			fault(size.option, "%d is outside 0 (the default) to %d", size.value, size.most)
		}
	}
	if !o.Compaction.Valid() {
		fault("Compaction", "%d is no style: Leveled is %d, LazyLeveled is %d", o.Compaction, Leveled, LazyLeveled)
	}
	if o.Compression != Snappy && o.Compression != NoCompression {
		fault("Compression", "%d is no codec: Snappy is %d, NoCompression is %d", o.Compression, Snappy, NoCompression)
	}
	if o.Filter != nil {
		faults = append(faults, checkFilter(o.Filter))
	}
	if o.FilterPlan > bloom.Uniform {
		fault("FilterPlan", "%d is no plan: Adaptive is %d, ByLevel %d, Uniform %d",
			o.FilterPlan, bloom.Adaptive, bloom.ByLevel, bloom.Uniform)
	}
	return errors.Join(faults...)
}

// standardFilter is what a nil policy stands for.
func standardFilter() bloom.Policy { return bloom.BitsPerKey(10) }

// checkFilter gives an *OptionError for a policy whose numbers cannot be used.
func checkFilter(p bloom.Policy) error { return checkPolicy("Filter", p) }

// checkPolicy is checkFilter for a policy that comes from what callers know as the option.
func checkPolicy(option string, p bloom.Policy) error {
	err := p.Validate()
	if err == nil {
		return nil
	}
	// An OptionError begins with siftdb, as err does.
	return &OptionError{Option: option, Reason: strings.TrimPrefix(err.Error(), "siftdb: "), Err: err}
}
