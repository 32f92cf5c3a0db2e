package db

import "time"

// Metrics is what the store knows of itself at one moment. Counters count from Open and never fall; gauges say
// what is there now.
type Metrics struct {
	// Filter adds up all tables, those that are gone included.
	Filter FilterMetrics
	// Levels has one entry a level, from level 0.
	Levels []LevelMetrics

	// TableReads and TableBytesRead count the reads of table files that reached the file system: of data blocks,
	// filters and indexes, and those of WarmUpReads. Where tables that were there at Open have more than 256 MiB, a
	// block of theirs may be read with up to 128 KiB around it, as one read: the first 128 such blocks are not, and
	// later ones are as long as what came with others is asked for.
	TableReads, TableBytesRead int64
	// WarmUpReads and WarmUpBytesRead are those of them that nobody waits for: they bring the tables that were there at
	// Open into memory, once, if these have up to 256 MiB together and 128 blocks of them were read. Up to
	// Options.CacheSize that is the block cache, else the system's file cache.
	WarmUpReads, WarmUpBytesRead int64
	// TableOpens counts how often a table's index and properties were read.
	TableOpens int64
	// OpenTables is the number of table files open now.
	OpenTables int64
	// UnusableFilters counts the tables whose filter was found damaged or unknown, or a plane of it; they are read
	// without what cannot be used.
	UnusableFilters int64
	// UnfilteredProbes counts the tables that point reads had to ask without a filter.
	UnfilteredProbes UnfilteredProbes
	// FilterLoads counts the reads that brought filters, or planes of them, into memory; FilterDrops how often some
	// were dropped. FilterLimit is the most bytes that they may take now; 0: no limit.
	FilterLoads, FilterDrops int64
	FilterLimit              int64

	CacheHits, CacheMisses int64 // of the block cache
	CacheBytes             int64 // held now
	CacheEntries           int64
	CacheCompressed        int64 // of CacheEntries, those held as they are in the file, to be uncompressed by each read

	MemTables     int   // in memory now, the one being written included
	MemTableBytes int64 // that they take
	// OffHeapBytes are outside the Go heap: chunks of memtables, and what is kept of such memory for the next ones. It
	// is not all that the store has there. The log has buffers of 3 MiB, two as a rule, until it has not been written
	// to for a second, and one as large as a batch that is larger. Each table being built has 256 KiB to write with and
	// 16 bytes a key, and while a ribbon filter is made some 27 more for each of up to 4 million keys.
	OffHeapBytes int64
	FilterBytes  int64 // filters in memory, those that are being loaded and those of tables being built included
	IndexBytes   int64 // resident indexes and properties of open tables

	LogBytes    int64 // written to the log since Open
	LogSegments int   // files of the log now
	LogDropped  int64 // bytes of a torn end of the log that Open dropped
	Commits     int64 // commit groups
	Writes      int64 // single puts and deletes, those of batches included

	// DeletionsPassed counts the deletions that iterators and scans stepped over on their way to a key.
	DeletionsPassed int64

	Flushes                      int64
	FlushedBytes                 int64 // of the tables that flushes wrote
	Compactions                  int64
	TrivialMoves                 int64 // compactions that moved a table without reading it
	FiltersRebuilt               int64 // tables copied under another filter
	CompactionRead               int64 // bytes of the tables read
	CompactionWritten            int64 // bytes of the tables written
	RunningFlushes               int
	RunningCompactions           int
	CompactionDebt               int64         // bytes that compactions have yet to write, about, until none is due
	Slowdowns, Stops             int64         // writes slowed down and stopped
	StallTime                    time.Duration // spent in both
	BackgroundErrors             int64
	DiskBytes                    int64 // tables and log, as the store counts them
	ObsoleteTables               int   // gone from the store, kept for iterators
	ObsoleteBytes                int64
	Iterators, Snapshots         int           // open now
	OldestView                   time.Duration // age of the oldest of them
	LastSequence, OldestSnapshot uint64
}

// LevelMetrics is one level's part of Metrics.
type LevelMetrics struct {
	Level   int
	Tables  int
	Bytes   int64
	Entries int64
	Filter  FilterMetrics // of the tables that are or were at this level
}

// Sub gives what happened since earlier: counters are the difference, gauges stay as they are in m.
func (m Metrics) Sub(earlier Metrics) Metrics {
	d := m
	d.Filter = m.Filter.sub(earlier.Filter)
	d.Levels = make([]LevelMetrics, len(m.Levels))
	for i, level := range m.Levels {
		if i < len(earlier.Levels) {
			level.Filter = level.Filter.sub(earlier.Levels[i].Filter)
		}
		d.Levels[i] = level
	}
	for _, c := range []struct {
		counter *int64
		earlier int64
	}{
		{&d.TableReads, earlier.TableReads}, {&d.TableBytesRead, earlier.TableBytesRead},
		{&d.WarmUpReads, earlier.WarmUpReads}, {&d.WarmUpBytesRead, earlier.WarmUpBytesRead},
		{&d.TableOpens, earlier.TableOpens}, {&d.UnusableFilters, earlier.UnusableFilters},
		{&d.FilterLoads, earlier.FilterLoads}, {&d.FilterDrops, earlier.FilterDrops},
		{&d.CacheHits, earlier.CacheHits}, {&d.CacheMisses, earlier.CacheMisses},
		{&d.LogBytes, earlier.LogBytes}, {&d.Commits, earlier.Commits}, {&d.Writes, earlier.Writes},
		{&d.Flushes, earlier.Flushes}, {&d.FlushedBytes, earlier.FlushedBytes},
		{&d.Compactions, earlier.Compactions}, {&d.TrivialMoves, earlier.TrivialMoves},
		{&d.FiltersRebuilt, earlier.FiltersRebuilt},
		{&d.CompactionRead, earlier.CompactionRead}, {&d.CompactionWritten, earlier.CompactionWritten},
		{&d.Slowdowns, earlier.Slowdowns}, {&d.Stops, earlier.Stops},
		{&d.BackgroundErrors, earlier.BackgroundErrors}, {&d.DeletionsPassed, earlier.DeletionsPassed},
	} {
		*c.counter -= c.earlier
	}
	d.StallTime -= earlier.StallTime
	d.UnfilteredProbes = m.UnfilteredProbes.sub(earlier.UnfilteredProbes)
	return d
}

// UnfilteredProbes counts probes of tables that asked no filter, by the reason.
type UnfilteredProbes struct {
	NoFilter    int64 // the table was built without one
	NotResident int64 // it is not in memory: it has no share of it, or is not loaded yet
	Unusable    int64 // it is damaged, or of a kind that this version does not know
	Ignored     int64 // the read, or the store, ignores filters
}

// Total is the sum over all reasons.
func (u UnfilteredProbes) Total() int64 { return u.NoFilter + u.NotResident + u.Unusable + u.Ignored }

func (u *UnfilteredProbes) add(v UnfilteredProbes) {
	u.NoFilter += v.NoFilter
	u.NotResident += v.NotResident
	u.Unusable += v.Unusable
	u.Ignored += v.Ignored
}

func (u UnfilteredProbes) sub(v UnfilteredProbes) UnfilteredProbes {
	return UnfilteredProbes{u.NoFilter - v.NoFilter, u.NotResident - v.NotResident, u.Unusable - v.Unusable,
		u.Ignored - v.Ignored}
}

// FilterMetrics says what filters hold and what they did. It is kept for the store, each level and each table.
//
// Every probe of a filter is in exactly one of Skips, TruePasses and FalsePasses, and in Checks:
// Checks = Skips + TruePasses + FalsePasses, always.
type FilterMetrics struct {
	// Keys and Bits are the distinct keys of the tables there now, and the bits of their filters in memory.
	Keys, Bits int64
	// Checks counts probes; Skips the answers "surely not"; TruePasses the "maybe" for keys that were in the
	// table; FalsePasses the "maybe" for keys that were not.
	Checks, Skips, TruePasses, FalsePasses int64
	// BlockReadsSkipped counts the data blocks that need not be looked at: one a skip.
	BlockReadsSkipped int64

	// expectedFalse is how many of Skips + FalsePasses theory makes false passes; expectedKeys is the theory's
	// rates of the tables there now, each times its keys.
	expectedFalse, expectedKeys float64
}

// BitsPerKey is how many bits of filter are truly in memory for each key of the tables; 0 without keys.
func (f FilterMetrics) BitsPerKey() float64 { return ratio(float64(f.Bits), float64(f.Keys)) }

// Rate is the measured rate of false positives: FalsePasses / (FalsePasses + Skips). Passes of keys that are
// there are in neither part. It is 0 before the first probe of an absent key.
func (f FilterMetrics) Rate() float64 {
	return ratio(float64(f.FalsePasses), float64(f.FalsePasses+f.Skips))
}

// Expected is the rate that theory gives for these filters: over the probes of absent keys that there were or,
// before the first, over the tables' keys.
func (f FilterMetrics) Expected() float64 {
	if probes := f.FalsePasses + f.Skips; probes > 0 {
		return f.expectedFalse / float64(probes)
	}
	return ratio(f.expectedKeys, float64(f.Keys))
}

func ratio(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return part / whole
}

func (f *FilterMetrics) add(g FilterMetrics) {
	f.Keys += g.Keys
	f.Bits += g.Bits
	f.expectedKeys += g.expectedKeys
	f.addCounters(g)
}

func (f *FilterMetrics) addCounters(g FilterMetrics) {
	f.Checks += g.Checks
	f.Skips += g.Skips
	f.TruePasses += g.TruePasses
	f.FalsePasses += g.FalsePasses
	f.BlockReadsSkipped += g.BlockReadsSkipped
	f.expectedFalse += g.expectedFalse
}

func (f FilterMetrics) sub(g FilterMetrics) FilterMetrics {
	f.Checks -= g.Checks
	f.Skips -= g.Skips
	f.TruePasses -= g.TruePasses
	f.FalsePasses -= g.FalsePasses
	f.BlockReadsSkipped -= g.BlockReadsSkipped
	f.expectedFalse -= g.expectedFalse
	return f
}
