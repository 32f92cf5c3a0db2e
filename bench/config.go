package bench

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"siftdb/bloom"
)

// Config says what a run does. Default and Quick give usable ones; change fields from there.
type Config struct {
	// Keys is how many keys to make and put into each store. Not used with KeyFile.
	Keys int
	// KeyForm says how made keys look, ValueSize how long each made value is, in bytes.
	KeyForm   KeyForm
	ValueSize int
	// KeyFile names a file with the keys to put, one a line, alone or with a value after a tab; AbsentFile one
	// with keys that are not there, one a line. Names that end in .gz are decompressed. All keys of both are
	// looked up in every row. Without AbsentFile each present key with a zero byte after it is an absent key.
	KeyFile, AbsentFile string

	// Bits, Plans and Families make the rows: one for each bits per key under each plan with each family. Under which
	// plan filters are that cannot be divided makes no difference; they have one row, under the first.
	Bits     []Bits
	Plans    []bloom.Plan
	Families []Family
	// Live, if not empty, makes one store with the first of Plans and Families, changes its bits per key to one after
	// the other while keys are looked up, and measures that instead of rows.
	Live []Bits
	// Layout says how tables lie; Tables how many Overlap makes; Levels how many levels the layout of that name has,
	// and Ratio the size of each to the one above.
	Layout Layout
	Tables int
	Levels int
	Ratio  int
	// MemTableSize and TableSize are the store's options of these names, in bytes, of the Leveled layout. Overlap
	// makes its tables as large as they need to be, Levels its memtables.
	MemTableSize, TableSize int64
	// CacheSize is the store's block cache in bytes; 0: none, so that each block that a lookup needs is a disk read.
	CacheSize int64

	// Traffic says which keys are looked up more often than others; Ranges is how many ranges of keys are told apart
	// where it is not even.
	Traffic Traffic
	Ranges  int
	// Warmup is how many lookups each row makes before it measures. A store that shares memory by its traffic needs
	// them.
	Warmup int
	// Hits is the share of the lookups, in the warm-up and after, that find their key: the kinds take turns, so that
	// the store sees both at once, and what they cost is told apart all the same. 0: first all absent keys, then all
	// present ones.
	Hits float64

	// DeviceLatency is added to each read of a table file while keys are looked up, as if the disk took that
	// much longer. Loading goes at the disk's own speed.
	DeviceLatency time.Duration
	// Cold drops the system's cache of the table files before each phase. Linux only.
	Cold bool

	// Lookups is how many absent and how many present keys a row looks up, or how many together where Hits is set; 0:
	// as many as PhaseTime is good for, by an estimate from the settings, never by the clock, so that it is the
	// same in every run.
	Lookups int
	// PhaseTime is about how long the lookups of one kind in one row should take.
	PhaseTime time.Duration
	// Rounds is how often filters on and filters off take turns on the same files; 0 leaves the comparison out.
	Rounds int

	// Seed decides keys, values and orders.
	Seed uint64
	// Dir is where the stores are made, one a row, and stay; "": a temporary directory that is removed.
	Dir string
	// Scenario names what the run plays, if anything; see Scenarios.
	Scenario string
	// CommandLine is put into the report, to repeat the run.
	CommandLine []string
	// Progress is told how far the run is; nil: nobody.
	Progress Progress
}

// minKeysPerTable is how many keys each table of the Overlap layout gets at least.
const minKeysPerTable = 4

// Limits of a Config.
const (
	maxKeys   = 1 << 32
	maxTables = 1 << 16
)

// Validate says what is wrong with c, all faults at once.
func (c *Config) Validate() error {
	var faults []error
	fault := func(text string, args ...any) {
		faults = append(faults, fmt.Errorf("siftdb: bench: "+text, args...))
	}
	if _, err := ParseLayout(string(c.Layout)); err != nil {
		faults = append(faults, err)
	}
	if len(c.Live) == 1 || slices.Contains(c.Live, Off) {
		fault("live changes are between two or more settings of bits per key, none of them off")
	}
	if _, err := ParseKeyForm(string(c.KeyForm)); err != nil {
		faults = append(faults, err)
	}
	if _, err := ParseTraffic(string(c.Traffic)); err != nil {
		faults = append(faults, err)
	}
	if c.Ranges < 1 {
		fault("%d ranges of keys", c.Ranges)
	}
	if !(c.Hits >= 0 && c.Hits <= 1) {
		fault("the share of hits is %v: 0 to 1 are possible", c.Hits)
	}
	if c.Layout == Overlap && (c.Tables < 1 || c.Tables > maxTables) {
		fault("%d tables: 1 to %d are possible", c.Tables, maxTables)
	}
	if c.Layout == Levels {
		c.validateLevels(fault)
	}
	if least := minKeysPerTable * c.tables(); c.KeyFile == "" && (c.Keys < least || int64(c.Keys) > maxKeys) {
		fault("%d keys: %d (%d a table) to %d are possible", c.Keys, least, minKeysPerTable, int64(maxKeys))
	}
	if c.KeyFile == "" && c.AbsentFile != "" {
		fault("a file of absent keys needs a file of present keys")
	}
	if len(c.Bits) == 0 {
		fault("no bits per key are given, so there are no rows")
	}
	if len(c.Plans) == 0 || len(c.Families) == 0 {
		fault("no plan or no family of filters is given, so there are no rows")
	}
	for _, s := range c.settings() {
		if err := s.Policy().Validate(); err != nil {
			faults = append(faults, fmt.Errorf("siftdb: bench: bits per key: %w", err))
		}
	}
	for _, n := range []struct {
		name  string
		value int64
	}{
		{"value size", int64(c.ValueSize)}, {"cache size", c.CacheSize}, {"device latency", int64(c.DeviceLatency)},
		{"number of lookups", int64(c.Lookups)}, {"warm-up", int64(c.Warmup)}, {"number of rounds", int64(c.Rounds)},
	} {
		if n.value < 0 {
			fault("the %s is negative", n.name)
		}
	}
	if c.Cold && !canDropCache {
		fault("dropping the system's cache of files is only possible on Linux")
	}
	return errors.Join(faults...)
}

// tables is how many tables lie over each other on purpose.
func (c *Config) tables() int {
	if c.Layout == Overlap {
		return c.Tables
	}
	return 1
}

// Limits of the Levels layout. The store has seven levels, of which level 0 is not filled. A ratio of 2 leaves no
// slack.
const (
	maxLevels      = 6
	minRatio       = 3
	maxRatio       = 100
	minKeysOfLevel = 1000
)

func (c *Config) validateLevels(fault func(text string, args ...any)) {
	switch {
	case c.Levels < 1 || c.Levels > maxLevels:
		fault("%d levels: 1 to %d are possible", c.Levels, maxLevels)
	case c.Ratio < minRatio || c.Ratio > maxRatio:
		fault("a level %d times as large as the one above: %d to %d are possible", c.Ratio, minRatio, maxRatio)
	case c.KeyFile == "" && shapeOf(c.Keys, c.Levels, c.Ratio)[0] < minKeysOfLevel:
		fault("%d keys leave %d for the smallest level: it needs %d",
			c.Keys, shapeOf(c.Keys, c.Levels, c.Ratio)[0], minKeysOfLevel)
	}
}
