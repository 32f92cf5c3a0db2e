package simulate

// Result is what came of a run. Bytes are of tables; the log of a store, which takes each write once more, is left out.
type Result struct {
	// Writes and UserBytes are what came in, by number and by what it takes in tables.
	Writes, UserBytes int64
	// Flushes, Merges and Moves count flushed memtables, compactions that wrote, and tables moved down as they were.
	Flushes, Merges, Moves int64
	// FlushedBytes and CompactedBytes are what flushes and compactions wrote.
	FlushedBytes, CompactedBytes int64
	// LiveBytes is what the keys that are there in the end would take if nothing else were; EndBytes what all tables
	// take when the last compaction that was due has ended, PeakBytes the most that they took at once, those included
	// that were being written.
	LiveBytes, EndBytes, PeakBytes int64
	// MeanRuns and MostRuns are the tables that hold a looked up key within their bounds, each of another run: as many
	// as a lookup of an absent key must ask without filters. Some keys are looked up after each flush.
	MeanRuns float64
	MostRuns int
	// Stopped is the share of the time for which writes waited.
	Stopped float64
	// Levels are those that hold tables in the end.
	Levels []Level
}

// Level is one level at the end of a run.
type Level struct {
	Level, Tables int
	Bytes         int64
}

// WriteAmplification is the bytes that were written to tables for each that came in.
func (r Result) WriteAmplification() float64 {
	return float64(r.FlushedBytes+r.CompactedBytes) / float64(max(1, r.UserBytes))
}

// SpaceAmplification is the bytes that tables take in the end for each byte of the keys that are there.
func (r Result) SpaceAmplification() float64 {
	return float64(r.EndBytes) / float64(max(1, r.LiveBytes))
}

// PeakAmplification is the most bytes that tables took at once for each byte of the keys that are there in the end.
func (r Result) PeakAmplification() float64 {
	return float64(r.PeakBytes) / float64(max(1, r.LiveBytes))
}
