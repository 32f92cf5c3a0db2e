package wal

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"siftdb/internal/corrupt"
	"siftdb/internal/fsys"
	"siftdb/internal/record"
)

// EntryKind says what an Entry is.
type EntryKind uint8

const (
	// EntryGroup is a commit group, EntryEnd a segment's end record.
	EntryGroup EntryKind = iota
	EntryEnd
	// EntryUnreadable is a stretch of bytes that are no sound record.
	EntryUnreadable
)

// String is the kind's name.
func (k EntryKind) String() string {
	return [...]string{"group", "end", "unreadable"}[k]
}

// Entry is a stretch of a segment.
type Entry struct {
	Kind EntryKind
	// Offset and Length are the stretch in bytes, checksums and all.
	Offset, Length int64
	// SyncedTo is the offset up to which the segment was known to be durable when the record was made.
	SyncedTo int64
	// Group is the commit group's bytes; they are valid during the call.
	Group []byte
	// Next is the number of the segment after this one, where an end record names it.
	Next uint64
	// Reason says why a stretch is unreadable.
	Reason string
}

// Dump walks over the records of one segment, in the order of the file, and does not stop at damage: what cannot
// be read is an entry too. The header's bytes are none, unless they are damaged. It is for people to look at
// files; Replay decides what is to be believed. An error of visit ends the walk and is returned as it is.
func Dump(fs fsys.FS, name string, visit func(Entry) error) (Header, error) {
	number, ok := ParseName(filepath.Base(name))
	if !ok {
		return Header{}, fmt.Errorf("siftdb: %s is not named like a log segment, such as 000012.wal", name)
	}
	s := &reading{name: name}
	s.Number = number
	if err := s.open(fs); err != nil {
		return Header{}, err
	}
	err := s.dump(visit)
	if closeErr := s.file.Close(); err == nil && closeErr != nil {
		err = fmt.Errorf("siftdb: log: %w", closeErr)
	}
	return s.header, err
}

func (s *reading) dump(visit func(Entry) error) error {
	bad, err := s.readHeader()
	start := int64(HeaderSize)
	if damage := (*corrupt.Error)(nil); errors.As(err, &damage) {
		bad = &record.Bad{Reason: damage.Reason}
	} else if err != nil {
		return err
	}
	if bad != nil {
		start = 0
	}
	records := record.NewReader(s.file, s.name, s.Number, start, s.size)
	for {
		if bad != nil {
			next, ok, err := records.FindNext()
			if err != nil {
				return err
			}
			if !ok {
				next = s.size
			}
			err = visit(Entry{Kind: EntryUnreadable, Offset: bad.Offset, Length: next - bad.Offset, Reason: bad.Reason})
			if err != nil || !ok {
				return err
			}
			bad = nil
		}
		rec, err := records.Next()
		if err == io.EOF {
			return nil
		}
		if errors.As(err, &bad) {
			continue
		}
		if err != nil {
			return err
		}
		if err := visit(entryOf(rec)); err != nil {
			return err
		}
	}
}

func entryOf(rec record.Record) Entry {
	e := Entry{Offset: rec.Offset, Length: int64(record.HeaderSize + len(rec.Payload))}
	e.SyncedTo, e.Group, e.Reason = splitPayload(rec)
	switch {
	case e.Reason != "":
		e.Kind = EntryUnreadable
	case rec.Kind == kindEnd:
		e.Kind, e.Next, e.Group = EntryEnd, nextOf(e.Group), nil
	}
	return e
}
