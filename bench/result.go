package bench

import "time"

// Result is what a run found. It is a plain value: it marshals to JSON and back without loss. Times are nanoseconds.
type Result struct {
	Header   Header   `json:"header"`
	Settings Settings `json:"settings"`
	Rows     []Row    `json:"rows"`
	// Live are changes of bits per key while the store was being read; there are no rows then.
	Live []LiveChange `json:"live,omitempty"`
	// Warnings name what in the setting spoils numbers.
	Warnings []string `json:"warnings"`
	// Interrupted: the run was ended early. Rows holds the whole rows that were done by then.
	Interrupted bool `json:"interrupted"`
	// ProcessTableReads counts all reads of table files in the run: lookups, opening of tables, compactions. A
	// system call tracer should see as many.
	ProcessTableReads int64 `json:"process_table_reads"`
}

// Settings repeats what of the Config decides numbers.
type Settings struct {
	Scenario      string        `json:"scenario,omitempty"` // its name
	Story         string        `json:"story,omitempty"`    // what it plays
	Keys          string        `json:"keys"`               // where they come from
	PresentKeys   int           `json:"present_keys"`
	AbsentKeys    int           `json:"absent_keys"`
	DataBytes     int64         `json:"data_bytes"` // of all keys and values
	Layout        Layout        `json:"layout"`
	Tables        int           `json:"tables,omitempty"` // of the overlap layout
	Levels        int           `json:"levels,omitempty"` // of the levels layout
	Ratio         int           `json:"ratio,omitempty"`  // of the size of each of them to the one above
	MemTableSize  int64         `json:"memtable_size"`
	TableSize     int64         `json:"table_size"`
	CacheSize     int64         `json:"cache_size"` // 0: none
	Traffic       Traffic       `json:"traffic"`
	Ranges        int           `json:"ranges,omitempty"` // of keys, that zipf traffic tells apart
	Warmup        int           `json:"warmup"`           // lookups before those that count
	Hits          float64       `json:"hits"`             // share of them, kinds taking turns; 0: one after the other
	DeviceLatency time.Duration `json:"device_latency_ns"`
	Cold          bool          `json:"cold"`
	Sync          string        `json:"sync"` // how writes were synced
	Seed          uint64        `json:"seed"`
	Rounds        int           `json:"rounds"`
}

// Row is one setting, measured. Bits, Plan and Family tell it from the others; the latter two are "" with filters off.
type Row struct {
	Bits   Bits   `json:"bits_per_key"`     // asked for, on average over the store's keys; 0: filters off
	Plan   string `json:"plan,omitempty"`   // how memory is shared out
	Family Family `json:"family,omitempty"` // of the filters
	Policy string `json:"policy"`           // as the filter policy names itself

	Filter Filter `json:"filter"`
	Waste  Waste  `json:"wasted_reads"`
	// Absent and Present are lookups of keys that are not there, and of keys that are.
	Absent  Phase `json:"absent"`
	Present Phase `json:"present"`
	// Compared has filters on beside filters off on the same files; nil in the row without filters.
	Compared *Comparison `json:"compared,omitempty"`
	Build    Build       `json:"build"`
	Levels   []Level     `json:"levels"`
}

// Filter is what the filters of a store hold and how often they were wrong, over the absent lookups.
type Filter struct {
	Bytes         int64   `json:"bytes"`              // their bits
	ResidentBytes int64   `json:"resident_bytes"`     // what they take in memory
	BitsPerKey    float64 `json:"true_bits_per_key"`  // bits held for each key
	Probes        int64   `json:"probes"`             // of absent keys
	FalsePasses   int64   `json:"false_passes"`       // probes answered "maybe"
	Expected      float64 `json:"rate_expected"`      // by theory
	Measured      float64 `json:"rate_measured"`      // FalsePasses / Probes
	MeasuredLow   float64 `json:"rate_measured_low"`  // 95 % interval
	MeasuredHigh  float64 `json:"rate_measured_high"` //
	AcceptedLow   float64 `json:"false_passes_low"`   // false passes within 4 standard deviations of theory
	AcceptedHigh  float64 `json:"false_passes_high"`  //
	OutsideTheory bool    `json:"outside_theory"`     // FalsePasses is outside them
}

// Phase is what lookups of one kind cost.
type Phase struct {
	Lookups int64 `json:"lookups"`
	// TablesChecked counts tables whose key range held the key, FilterChecks those of them whose filter was asked.
	TablesChecked int64 `json:"tables_checked"`
	FilterChecks  int64 `json:"filter_checks"`
	// ReadsSkipped counts tables that the filter answered for: each is a disk read saved.
	ReadsSkipped int64 `json:"reads_skipped"`
	TruePasses   int64 `json:"true_passes"`
	FalsePasses  int64 `json:"false_passes"`
	// DiskReads counts reads of table files that reached the file system, BytesRead their bytes. Those that bring
	// tables into the system's file cache beside the lookups are not among them.
	DiskReads   int64   `json:"disk_reads"`
	BytesRead   int64   `json:"bytes_read"`
	TableOpens  int64   `json:"table_opens"` // of DiskReads, by reading filters and indexes of tables
	CacheHits   int64   `json:"cache_hits"`
	CacheMisses int64   `json:"cache_misses"`
	Latency     Latency `json:"latency"`
}

// Latency is how long lookups took, one after the other. What the measuring does between lookups is left out.
type Latency struct {
	P50       time.Duration `json:"p50_ns"`
	P99       time.Duration `json:"p99_ns"`
	P999      time.Duration `json:"p999_ns"`
	Max       time.Duration `json:"max_ns"`
	Mean      time.Duration `json:"mean_ns"`
	PerSecond float64       `json:"lookups_per_second"`
}

// Comparison is the same lookups on the same files, with filters and without, in turns.
type Comparison struct {
	Absent  OnOff `json:"absent"`
	Present OnOff `json:"present"`
}

// OnOff is one kind of lookups with filters on and with filters off.
type OnOff struct {
	On  Phase `json:"on"`
	Off Phase `json:"off"`
	// ReadsRatio is disk reads off over on; nil when there were none with filters on.
	ReadsRatio *float64 `json:"reads_ratio"`
	// SpeedRatio is lookups per second on over off: the median of the rounds. SpeedLow and SpeedHigh are the
	// least and the greatest of them.
	SpeedRatio float64 `json:"speed_ratio"`
	SpeedLow   float64 `json:"speed_ratio_low"`
	SpeedHigh  float64 `json:"speed_ratio_high"`
}

// Build is what it cost to fill a row's store, until nothing was due. In the levels layout, whose rows share one
// store's data, it is what it cost to give the tables their filters.
type Build struct {
	Elapsed        time.Duration `json:"elapsed_ns"`
	Keys           int           `json:"keys"`
	LogBytes       int64         `json:"log_bytes"`
	FlushedBytes   int64         `json:"flushed_bytes"`
	CompactedBytes int64         `json:"compacted_bytes"` // written by compactions
	TableReads     int64         `json:"table_reads"`     // by compactions
	Flushes        int64         `json:"flushes"`
	Compactions    int64         `json:"compactions"`
	FiltersRebuilt int64         `json:"filters_rebuilt"` // tables that were given their filters afterwards
	Stalled        time.Duration `json:"stalled_ns"`      // writes held up
	Tables         int           `json:"tables"`          // at the end
	TableBytes     int64         `json:"table_bytes"`
}

// Level is one level of a row's store, with what its filters did in the absent lookups.
type Level struct {
	Level       int     `json:"level"`
	Tables      int     `json:"tables"`
	Bytes       int64   `json:"bytes"`
	Keys        int64   `json:"keys"`
	BitsPerKey  float64 `json:"true_bits_per_key"`
	Checks      int64   `json:"checks"`
	Skips       int64   `json:"skips"`
	TruePasses  int64   `json:"true_passes"`
	FalsePasses int64   `json:"false_passes"`
	Expected    float64 `json:"rate_expected"`
}

// PerLookup divides a count by the number of lookups; 0 without lookups.
func (p *Phase) PerLookup(count int64) float64 {
	if p.Lookups == 0 {
		return 0
	}
	return float64(count) / float64(p.Lookups)
}

// SkippedShare is ReadsSkipped as a part of TablesChecked: of the reads that there would be without filters.
func (p *Phase) SkippedShare() float64 {
	if p.TablesChecked == 0 {
		return 0
	}
	return float64(p.ReadsSkipped) / float64(p.TablesChecked)
}

// fewestLookups is how many lookups give a 99.9 % time that is worth showing.
const fewestLookups = 1000

// EnoughForP999 says whether Latency.P999 comes from enough lookups to mean something.
func (p *Phase) EnoughForP999() bool { return p.Lookups >= fewestLookups }
