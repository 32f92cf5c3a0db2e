package db

import (
	"iter"
	"slices"
	"sync/atomic"
	"time"

	"siftdb/internal/key"
)

// Snapshot is the store as it was at one moment: a Reader that no later write changes. It costs little to make
// and to keep, but keeps compaction from dropping what it sees. Several goroutines may use it.
type Snapshot struct {
	db     *DB
	seq    key.Seq
	made   time.Time
	closed atomic.Bool
}

var (
	_ Reader = (*DB)(nil)
	_ Reader = (*Snapshot)(nil)
)

// Snapshot makes a view of the store as it is now. It must be closed. On a closed store it returns a Snapshot on
// which every call gives ErrClosed.
func (db *DB) Snapshot() *Snapshot {
	s := &Snapshot{db: db, made: time.Now()}
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed.Load() {
		s.closed.Store(true)
		return s
	}
	// Under mu, so that a compaction which starts later knows of it.
	s.seq = db.sequence()
	db.snapshots[s] = struct{}{}
	return s
}

// View calls fn with a Snapshot that is closed afterwards, and returns what fn returns. Close, called from fn,
// returns an error at once; called elsewhere, it waits for fn, whose reads give ErrClosed from then on.
func (db *DB) View(fn func(s *Snapshot) error) error {
	defer db.leaveCallback(db.enterCallback()) // around the snapshot, so that Close never takes it for one left open
	s := db.Snapshot()
	defer s.Close()
	if s.closed.Load() {
		return ErrClosed
	}
	return fn(s)
}

// Close gives the snapshot up. Closing it again, or after the store, does nothing.
func (s *Snapshot) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	s.db.mu.Lock()
	defer s.db.mu.Unlock()
	delete(s.db.snapshots, s)
	s.db.changed.Broadcast() // what was kept for it alone may be worth a compaction
	return nil
}

// Get returns a copy of the value of key, or ErrNotFound; see Reader.
func (s *Snapshot) Get(key []byte, opts ...ReadOption) ([]byte, error) {
	return s.AppendGet(nil, key, opts...)
}

// AppendGet appends the value of key to dst; see Reader.
func (s *Snapshot) AppendGet(dst, key []byte, opts ...ReadOption) ([]byte, error) {
	if s.closed.Load() {
		return dst, ErrClosed
	}
	return s.db.appendGet(dst, key, s.seq, s.db.readOptions(opts))
}

// GetFunc calls fn with the value of key; see Reader.
func (s *Snapshot) GetFunc(key []byte, fn func(value []byte) error, opts ...ReadOption) error {
	if s.closed.Load() {
		return ErrClosed
	}
	return s.db.getFunc(key, fn, s.seq, s.db.readOptions(opts))
}

// Has says whether key is there; see Reader.
func (s *Snapshot) Has(key []byte, opts ...ReadOption) (bool, error) {
	if s.closed.Load() {
		return false, ErrClosed
	}
	return s.db.has(key, s.seq, s.db.readOptions(opts))
}

// Scan runs over the entries of r as they were; see DB.Scan.
func (s *Snapshot) Scan(r Range, opts ...ReadOption) iter.Seq2[Entry, error] {
	return scan(s, r, opts)
}

// NewIter makes an iterator over the keys of r as they were; see DB.NewIter. It may outlive the snapshot.
func (s *Snapshot) NewIter(r Range, opts ...ReadOption) *Iterator {
	if s.closed.Load() {
		return closedIterator()
	}
	return s.db.newIter(r, s.seq, s.db.readOptions(opts))
}

// snapshotSeqsLocked are the sequence numbers of the open snapshots, ascending: what compaction must keep versions
// for. DB.mu is held.
func (db *DB) snapshotSeqsLocked() []key.Seq {
	seqs := make([]key.Seq, 0, len(db.snapshots))
	for s := range db.snapshots {
		seqs = append(seqs, s.seq)
	}
	slices.Sort(seqs)
	return seqs
}
