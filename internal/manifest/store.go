package manifest

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
	"sync/atomic"

	"siftdb/internal/fsys"
)

var (
	// ErrNoStore is the error for a directory that holds no store, or is not there; errors.Is finds fs.ErrNotExist
	// in it, too. A store that has lost a file of its own is a *corrupt.Error instead.
	ErrNoStore = fmt.Errorf("siftdb: no store: %w", fs.ErrNotExist)

	// ErrUndetermined is in the error of an Apply that failed after its edit may have reached the disk. The edit is
	// not in force, but a reopened store may show it, until a later Apply succeeds. So long, the files of its added
	// tables must stay.
	ErrUndetermined = errors.New("siftdb: manifest: the edit may be found when the store is opened again")

	errClosed = fmt.Errorf("siftdb: manifest: %w", fs.ErrClosed)
)

// Store is the manifest on disk and the version it stands for. Any goroutine may call it; edits are written one
// at a time.
type Store struct {
	fs      fsys.FS
	dir     string
	current atomic.Pointer[snapshot]
	report  Report

	mu     sync.Mutex // held while an edit is made; guards what follows
	file   *file      // nil: the next edit makes a new manifest
	closed bool
}

// Create makes the manifest of a new store in dir, which must exist; it is durable when Create returns. The first
// manifest gets the number given. A directory that has a CURRENT is refused with fs.ErrExist.
func Create(files fsys.FS, dir string, number uint64) (*Store, error) {
	if _, err := files.Stat(filepath.Join(dir, CurrentName)); err == nil {
		return nil, fmt.Errorf("siftdb: manifest: %s: %w", filepath.Join(dir, CurrentName), fs.ErrExist)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("siftdb: manifest: %w", err)
	}
	s := &Store{fs: files, dir: dir, report: Report{TornAt: -1}}
	first := newSnapshot()
	if err := s.install(number, first); err != nil {
		return nil, fmt.Errorf("siftdb: manifest: %w", err)
	}
	s.current.Store(first)
	return s, nil
}

// Version is the version in force.
func (s *Store) Version() *Version { return s.current.Load().version }

// State is what is kept beside the tables, as of the last edit.
func (s *Store) State() State { return s.current.Load().State }

// Apply checks e against the version in force, makes it durable and returns the version after it. When it fails
// nothing has changed in memory. An edit that does not fit is a fault of the caller; otherwise a later Apply tries
// the disk again, with a new manifest if the old one took harm.
func (s *Store) Apply(e *Edit) (*Version, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errClosed
	}
	next, err := s.current.Load().apply(e)
	if err != nil {
		return nil, err
	}
	if err := s.write(e, next); err != nil {
		return nil, fmt.Errorf("siftdb: manifest: %w", err)
	}
	s.current.Store(next)
	return next.version, nil
}

// write makes e durable: as a record in the manifest that is there, or else as a part of a new one's snapshot.
func (s *Store) write(e *Edit, next *snapshot) error {
	if s.file != nil && s.file.outgrown() {
		err := s.rotate(next)
		if err == nil || s.file == nil {
			return err
		}
		s.file.limit *= 2 // not again at every edit; this one still fits into the old file
	}
	if s.file == nil {
		return s.rotate(next)
	}
	appended := s.file.append(next.EditNumber, e)
	if appended == nil {
		if s.file.seal() != nil {
			s.drop()
		}
		return nil
	}
	s.drop()
	if err := s.rotate(next); err != nil {
		return undetermined(errors.Join(appended, err))
	}
	return nil
}

// rotate makes a new manifest that holds next, with a number that no manifest in the directory has.
func (s *Store) rotate(next *snapshot) error {
	names, err := s.fs.List(s.dir)
	if err != nil {
		return err
	}
	number := uint64(0)
	for _, name := range names {
		if n, ok := ParseName(name); ok {
			number = max(number, n)
		}
	}
	return s.install(number+1, next)
}

// install writes a new manifest, makes CURRENT name it, and only then removes the others. When it fails before
// CURRENT could have changed, the file in use stays in use.
func (s *Store) install(number uint64, content *snapshot) error {
	m, err := createFile(s.fs, s.dir, number, content)
	if err != nil {
		return err
	}
	err = s.fs.SyncDir(s.dir)
	if err == nil {
		err = writeCurrent(s.fs, s.dir, number)
	}
	if err != nil {
		m.f.Close()
		if s.mayName(number) {
			s.drop()
			return undetermined(err)
		}
		s.fs.Remove(m.name)
		return err
	}
	s.drop()
	s.file = m
	s.removeOthers()
	return nil
}

// mayName reports whether CURRENT may name a manifest after a failed attempt to make it do so.
func (s *Store) mayName(number uint64) bool {
	named, err := readCurrent(s.fs, s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	return err != nil || named == number
}

// removeOthers removes the manifests that CURRENT does not name. What cannot be removed does no harm and is tried
// again after the next rotation.
func (s *Store) removeOthers() {
	names, err := s.fs.List(s.dir)
	if err != nil {
		return
	}
	for _, name := range names {
		if n, ok := ParseName(name); ok && n != s.file.number {
			s.fs.Remove(filepath.Join(s.dir, name))
		}
	}
}

// drop gives up the file in use: the next edit goes to a new one. All that was acknowledged in it is durable, so
// that an error of its closing tells nothing.
func (s *Store) drop() {
	if s.file != nil {
		s.file.f.Close()
		s.file = nil
	}
}

func undetermined(err error) error { return fmt.Errorf("%w: %w", ErrUndetermined, err) }

// Close closes the file. Edits were durable before; the version and the state can be read on.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	if s.file == nil {
		return nil
	}
	err := s.file.f.Close()
	s.file = nil
	if err != nil {
		return fmt.Errorf("siftdb: manifest: %w", err)
	}
	return nil
}
