package wal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"siftdb/internal/corrupt"
	"siftdb/internal/fsys"
	"siftdb/internal/record"
)

// reading is one segment during a replay.
type reading struct {
	SegmentReport
	name string
	file fsys.File
	size int64
	// header is zero when it is torn.
	header Header
	// at is the offset of the record that is being read.
	at int64
	// admitted: the segment holds a sound record, and the segments before it are as they must be then.
	admitted bool
	// passedBy: a later segment names one before this as its predecessor, so this one was never used.
	passedBy bool
}

func (s *reading) open(disk fsys.FS) error {
	f, err := disk.Open(s.name)
	if errors.Is(err, fs.ErrNotExist) {
		return corrupt.New(s.name, -1, "the log segment is missing")
	}
	if err != nil {
		return fmt.Errorf("siftdb: log: %w", err)
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return fmt.Errorf("siftdb: log: %w", err)
	}
	s.file, s.size = f, info.Size()
	return nil
}

// readHeader returns what is bad about a header that a crash may have left so, and an error for what no crash
// explains.
func (s *reading) readHeader() (*record.Bad, error) {
	b := make([]byte, min(s.size, HeaderSize))
	if n, err := s.file.ReadAt(b, 0); n < len(b) {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, fmt.Errorf("siftdb: log: %s: %w", s.name, err)
	}
	h, flaw := parseHeader(b, s.Number)
	if flaw != nil && flaw.torn {
		return &record.Bad{Reason: flaw.reason}, nil
	}
	if flaw != nil {
		return nil, corrupt.New(s.name, flaw.offset, "%s", flaw.reason)
	}
	s.header, s.LastEdit = h, h.LastEdit
	return nil, nil
}
