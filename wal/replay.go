package wal

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"siftdb/internal/corrupt"
	"siftdb/internal/fsys"
	"siftdb/internal/record"
)

// Replay reads the segments with the given numbers in dir, in ascending order, and hands each group to fn, whose
// bytes are valid during the call. It writes nothing.
//
// What a crash can leave is no error, but said in the report: at the end of the last segment that holds records,
// a bad record and everything after it, as long as nothing says that it had been synced. Everything else that is
// not as it was written is a *corrupt.Error that names the file and where: then the groups that fn got before it
// are sound, and there may be others after it. An error of fn ends the replay and is returned as it is. A segment
// in the list that does not exist is corruption too; that the list itself is complete is the caller's to check.
func Replay(fs fsys.FS, dir string, numbers []uint64, fn func(segment uint64, group []byte) error) (Report, error) {
	r := replay{fs: fs, dir: dir, fn: fn}
	for _, number := range ascending(numbers) {
		if err := r.segment(number); err != nil {
			return r.report(), err
		}
	}
	return r.report(), nil
}

// Salvage is Replay for repair: where Replay would give a *corrupt.Error, from Replay itself or from fn, it stops
// and drops the rest, and the report says so. What fn got is a prefix of what was written. A segment of a format that
// this version does not know is not dropped, but an error that is no corruption.
func Salvage(fs fsys.FS, dir string, numbers []uint64, fn func(segment uint64, group []byte) error) (Report, error) {
	r := replay{fs: fs, dir: dir, fn: fn}
	var damage *corrupt.Error
	for _, number := range ascending(numbers) {
		if damage != nil {
			r.skip(number, damage)
			continue
		}
		err := r.segment(number)
		if err == nil {
			continue
		}
		if !errors.As(err, &damage) {
			return r.report(), err
		}
		s := r.read[len(r.read)-1]
		if s.at == 0 && damage.Offset == formatOffset {
			return r.report(), fmt.Errorf("siftdb: log: %s: %s", damage.File, damage.Reason)
		}
		s.tear(s.at, s.size, damage.Error())
		s.Damage = damage
	}
	return r.report(), nil
}

func ascending(numbers []uint64) []uint64 {
	return slices.Compact(slices.Sorted(slices.Values(numbers)))
}

// replay is one run over segments.
type replay struct {
	fs   fsys.FS
	dir  string
	fn   func(segment uint64, group []byte) error
	read []*reading
}

func (r *replay) report() Report {
	var out Report
	for _, s := range r.read {
		out.Segments = append(out.Segments, s.SegmentReport)
	}
	return out
}

// segment replays one segment.
func (r *replay) segment(number uint64) error {
	s := &reading{name: filepath.Join(r.dir, Name(number))}
	s.Number, s.TornAt = number, -1
	r.read = append(r.read, s)
	if err := s.open(r.fs); err != nil {
		return err
	}
	err := r.records(s)
	if closeErr := s.file.Close(); err == nil && closeErr != nil {
		return fmt.Errorf("siftdb: log: %w", closeErr)
	}
	return err
}

// records hands over the groups up to the segment's end, be it the clean or the torn one.
func (r *replay) records(s *reading) error {
	bad, err := s.readHeader()
	if err != nil {
		return err
	}
	start := int64(HeaderSize)
	if bad != nil {
		start = 0
	}
	records := record.NewReader(s.file, s.name, s.Number, start, s.size)
	for bad == nil {
		s.at = records.Offset()
		rec, err := records.Next()
		switch {
		case err == io.EOF:
			return nil
		case errors.As(err, &bad):
		case err != nil:
			return err
		default:
			if err := r.take(s, rec); err != nil {
				return err
			}
		}
	}
	return r.judge(s, records, bad)
}

// take hands over a sound record.
func (r *replay) take(s *reading, rec record.Record) error {
	if s.CleanEnd {
		return corrupt.New(s.name, rec.Offset, "a record after the end record")
	}
	if err := r.admit(s); err != nil {
		return err
	}
	_, group, reason := splitPayload(rec)
	if reason != "" {
		return corrupt.New(s.name, rec.Offset, "%s", reason)
	}
	if rec.Kind == kindEnd {
		s.CleanEnd, s.Next = true, nextOf(group)
		return nil
	}
	if err := r.fn(s.Number, group); err != nil {
		return err
	}
	s.Groups++
	s.Bytes += int64(len(group))
	return nil
}

// judge decides what a bad record is: a torn tail, unless a sound record behind it says that it had been durable.
func (r *replay) judge(s *reading, records *record.Reader, bad *record.Bad) error {
	sound := 0
	for {
		rec, err := records.Next()
		if errors.As(err, new(*record.Bad)) {
			_, found, err := records.FindNext()
			if err != nil {
				return err
			}
			if !found {
				break
			}
			continue
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		sound++
		if synced, _, reason := splitPayload(rec); s.CleanEnd || reason != "" || synced > bad.Offset {
			return corrupt.New(s.name, bad.Offset, "%s, although the sound record at %d came after it was durable",
				bad.Reason, rec.Offset)
		}
		if err := r.admit(s); err != nil {
			return err
		}
	}
	reason := bad.Reason
	if sound > 0 {
		reason = fmt.Sprintf("%s; of %d sound records after it none says that it had been durable", reason, sound)
	}
	s.tear(bad.Offset, s.size, reason)
	return nil
}

// skip notes a segment that comes after damage.
func (r *replay) skip(number uint64, damage *corrupt.Error) {
	s := &reading{name: filepath.Join(r.dir, Name(number))}
	s.Number = number
	if info, err := r.fs.Stat(s.name); err == nil {
		s.size = info.Size()
	}
	s.tear(0, s.size, "comes after damage in "+damage.File)
	s.Damage = damage
	r.read = append(r.read, s)
}
