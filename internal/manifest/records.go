package manifest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path/filepath"

	"siftdb/internal/corrupt"
	"siftdb/internal/fsys"
	"siftdb/internal/record"
)

// Record is one record of a manifest, as a dump prints it.
type Record struct {
	// Offset is where the record begins in the file, Length the bytes of its payload.
	Offset, Length int64
	// Kind is "snapshot", "edit" or "seal".
	Kind string
	// Synced says that all bytes before this offset were durable when the record was made.
	Synced int64
	// EditNumber and Edit are what a snapshot or an edit says; 0 and nil for a seal. A snapshot is the edit that
	// makes everything from nothing.
	EditNumber uint64
	Edit       *Edit
}

// Records walks over the records of one manifest, whose name in dir must be that of a manifest. It stops at the first
// record that does not check, and gives the reason as the last pair, with a zero Record: a *corrupt.Error, or the
// file system's error. It does not ask whether the edits fit each other; Load does.
func Records(files fsys.FS, dir, base string) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		number, ok := ParseName(base)
		if !ok {
			yield(Record{}, fmt.Errorf("siftdb: manifest: %q is not the name of a manifest", base))
			return
		}
		s, err := openScanner(files, dir, number)
		if err != nil {
			yield(Record{}, err)
			return
		}
		defer s.f.Close()
		for {
			r, err := s.next()
			if err == io.EOF {
				return
			}
			if !yield(r, s.explain(err)) || err != nil {
				return
			}
		}
	}
}

// scanner reads the records of one manifest in order.
type scanner struct {
	f    fsys.File
	name string
	size int64
	r    *record.Reader
}

// openScanner opens a manifest and checks its header.
func openScanner(files fsys.FS, dir string, number uint64) (*scanner, error) {
	s, damage, err := openDamaged(files, dir, number)
	if err == nil && damage != nil {
		s.f.Close()
		return nil, damage
	}
	return s, err
}

// openDamaged opens a manifest. Damage is what is wrong with its header; its records can be read all the same.
func openDamaged(files fsys.FS, dir string, number uint64) (s *scanner, damage, err error) {
	name := filepath.Join(dir, Name(number))
	f, err := files.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, corrupt.New(name, -1, "the manifest is missing")
	}
	if err != nil {
		return nil, nil, fmt.Errorf("siftdb: manifest: %w", err)
	}
	s = &scanner{f: f, name: name}
	err = s.start(number)
	if errors.Is(err, corrupt.ErrCorrupt) {
		return s, err, nil
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return s, nil, nil
}

// start reads the header and goes to the first record. A *corrupt.Error does not keep it from that.
func (s *scanner) start(number uint64) error {
	info, err := s.f.Stat()
	if err != nil {
		return fmt.Errorf("siftdb: manifest: %w", err)
	}
	s.size = info.Size()
	head := make([]byte, min(headerSize, s.size))
	if _, err := s.f.ReadAt(head, 0); err != nil && err != io.EOF {
		return fmt.Errorf("siftdb: manifest: %w", err)
	}
	s.r = record.NewReader(s.f, s.name, recordFile(number), headerSize, s.size)
	return checkHeader(s.name, head, number)
}

// next decodes the next record. Its error is io.EOF at the clean end, a *record.Bad for bytes that are no record,
// a *corrupt.Error for a record that is whole but makes no sense, or the file system's.
func (s *scanner) next() (Record, error) {
	raw, err := s.r.Next()
	if err != nil {
		return Record{}, err
	}
	r := Record{Offset: raw.Offset, Length: int64(len(raw.Payload))}
	if len(raw.Payload) < syncedSize {
		return Record{}, corrupt.New(s.name, raw.Offset, "a record of %d bytes is too short", len(raw.Payload))
	}
	r.Synced = int64(binary.LittleEndian.Uint64(raw.Payload))
	if r.Synced < 0 || r.Synced > raw.Offset {
		return Record{}, corrupt.New(s.name, raw.Offset, "a record cannot know of what comes after it: synced to %d",
			uint64(r.Synced))
	}
	body := raw.Payload[syncedSize:]
	switch raw.Kind {
	case kindSnapshot, kindEdit:
		decoded, err := decodeEdit(body)
		if err != nil {
			return Record{}, corrupt.New(s.name, raw.Offset, "%v", err)
		}
		r.EditNumber, r.Edit = decoded.number, &decoded.edit
		r.Kind = "edit"
		if raw.Kind == kindSnapshot {
			r.Kind = "snapshot"
		}
	case kindSeal:
		if len(body) != 0 {
			return Record{}, corrupt.New(s.name, raw.Offset, "a seal with %d bytes too many", len(body))
		}
		r.Kind = "seal"
	default:
		return Record{}, corrupt.New(s.name, raw.Offset, "a record of unknown kind %d", raw.Kind)
	}
	return r, nil
}

// explain makes the error of next one that names the file.
func (s *scanner) explain(err error) error {
	if bad, ok := errors.AsType[*record.Bad](err); ok {
		return corrupt.New(s.name, bad.Offset, "%s", bad.Reason)
	}
	if err == nil || errors.Is(err, corrupt.ErrCorrupt) {
		return err
	}
	return fmt.Errorf("siftdb: manifest: %w", err)
}
