package wal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"siftdb/internal/fsys"
)

// segment is one file of a log that is being written. Its bytes are, from the front: durable up to synced, written
// up to written, then writing, which the writer has in hand, then pending, which Append adds to, up to end.
//
// Log.mu guards the fields; the writer alone changes writing and written, and reads the bytes of writing without
// the mutex, since nobody changes them.
type segment struct {
	number  uint64
	file    fsys.File
	synced  int64
	written int64
	writing []byte
	pending []byte
	end     int64
	// want is the offset up to which somebody waits for a sync.
	want int64
	// reached is how many bytes of writing a failed write put into the file.
	reached int
	// sealed: nothing is appended any more, the segment is to be finished.
	sealed bool
	// ended: the end record has been made.
	ended bool
}

// createSegment makes a segment's file with its header, durably. A file of the name that is there already is
// left alone. What a failure left behind is removed if that is possible, and holds no records in any case.
func createSegment(disk fsys.FS, dir string, h Header) (*segment, error) {
	name := filepath.Join(dir, Name(h.Number))
	switch _, err := disk.Stat(name); {
	case err == nil:
		return nil, fmt.Errorf("siftdb: new log segment: %w", &fs.PathError{Op: "create", Path: name, Err: fs.ErrExist})
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("siftdb: new log segment: %w", err)
	}
	f, err := disk.Create(name)
	if err != nil {
		return nil, fmt.Errorf("siftdb: new log segment: %w", err)
	}
	s := &segment{number: h.Number, file: f, synced: HeaderSize, written: HeaderSize, end: HeaderSize}
	if err := writeHeader(disk, dir, f, h); err != nil {
		s.abandon(disk, dir)
		return nil, fmt.Errorf("siftdb: new log segment: %w", err)
	}
	return s, nil
}

// abandon gives up a segment that nothing was appended to. Where the disk does not let it be removed it stays; it
// holds no record, and no later segment names it as its predecessor.
func (s *segment) abandon(disk fsys.FS, dir string) {
	_ = s.file.Close()
	_ = disk.Remove(filepath.Join(dir, Name(s.number)))
}

func writeHeader(disk fsys.FS, dir string, f fsys.File, h Header) error {
	if _, err := f.WriteAt(h.append(nil), 0); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return disk.SyncDir(dir)
}

// append adds a group to pending. It returns the offset of its record.
func (s *segment) append(group []byte) int64 {
	start := s.end
	s.pending = withRoom(s.pending, recordSize(group))
	before := len(s.pending)
	s.pending = appendRecord(s.pending, s.number, start, kindGroup, s.synced, group)
	s.end += int64(len(s.pending) - before)
	return start
}

// appendEnd adds the end record, which names the next segment if there is one. Everything before it is durable. It
// returns the record's size.
func (s *segment) appendEnd(next uint64) int64 {
	var rest []byte
	if next != 0 {
		rest = binary.LittleEndian.AppendUint64(nil, next)
	}
	s.pending = withRoom(s.pending, recordSize(rest))
	s.pending = appendRecord(s.pending, s.number, s.end, kindEnd, s.end, rest)
	s.end += recordSize(rest)
	s.ended = true
	return recordSize(rest)
}

// withdraw takes back the record that starts at an offset, the last one. It reports false when it cannot: the
// whole record has reached the file.
func (s *segment) withdraw(start int64) bool {
	if pendingAt := s.end - int64(len(s.pending)); start >= pendingAt {
		s.pending = s.pending[:start-pendingAt]
	} else if start >= s.written && s.reached < len(s.writing) {
		s.writing = s.writing[:start-s.written]
		s.reached = min(s.reached, len(s.writing))
	} else {
		return false
	}
	s.end = start
	s.want = min(s.want, start)
	return true
}
