package sstable

import (
	"errors"
	"fmt"
	"io"

	"siftdb/internal/corrupt"
)

// source reads pieces of one table file and knows how to say what is wrong with them.
type source struct {
	file io.ReaderAt
	name string
}

// read fills buf from offset, with exactly one call to the file.
func (s *source) read(buf []byte, offset int64) error {
	n, err := s.file.ReadAt(buf, offset)
	if n == len(buf) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return s.corrupt(offset+int64(n), "the file ends here, inside a read of %d bytes at %d", len(buf), offset)
	}
	return fmt.Errorf("siftdb: reading %d bytes of %s at offset %d: %w", len(buf), s.name, offset, err)
}

// corrupt makes the error for bytes of this file.
func (s *source) corrupt(offset int64, reason string, args ...any) error {
	return corrupt.New(s.name, offset, reason, args...)
}
