package wal

// Report says what a replay found.
type Report struct {
	// Segments is in the order of the replay.
	Segments []SegmentReport
}

// SegmentReport says what a replay found in one segment.
type SegmentReport struct {
	// Number is that of the file's name.
	Number uint64
	// LastEdit is the header's; 0 where the header is torn.
	LastEdit uint64
	// Groups is the number of groups that were replayed, and Bytes the sum of their lengths.
	Groups int
	Bytes  int64
	// CleanEnd: the segment has its end record, so it was finished, and nothing that belongs to it is missing.
	CleanEnd bool
	// Next is the number of the segment that was made after this one, as the end record says: it must be there, or
	// not be needed any more. 0: the log was closed with this segment, or there is no end record.
	Next uint64
	// TornAt is the offset from which on nothing was replayed, -1 when everything was; Dropped is the number of
	// bytes from there to the end of the file, and Reason says what was found there.
	TornAt  int64
	Dropped int64
	Reason  string
	// Damage is set by Salvage alone: what was dropped is no torn end that a crash may leave.
	Damage error
}

// tear notes that nothing from an offset on is replayed.
func (s *SegmentReport) tear(offset, size int64, reason string) {
	s.TornAt, s.Dropped, s.Reason = offset, size-offset, reason
}
