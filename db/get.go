package db

import (
	"iter"

	"siftdb/bloom"
	"siftdb/internal/key"
	"siftdb/sstable"
)

// Reader is what can be read from: a store, a snapshot.
//
// Several goroutines may call it. Keys are read during the call only. A key longer than MaxKeySize is not there.
type Reader interface {
	// Get returns a copy of the value of key, or ErrNotFound. The value of a key that was put with an empty
	// value is empty, not nil.
	Get(key []byte, opts ...ReadOption) ([]byte, error)
	// AppendGet appends the value of key to dst; it allocates only what dst lacks. On any error, ErrNotFound
	// too, it returns dst as it was.
	AppendGet(dst, key []byte, opts ...ReadOption) ([]byte, error)
	// GetFunc calls fn with the value of key, without copying it: the bytes are the store's, must not be changed
	// and are valid during the call only. It returns ErrNotFound without calling fn, or what fn returns.
	GetFunc(key []byte, fn func(value []byte) error, opts ...ReadOption) error
	// Has says whether key is there.
	Has(key []byte, opts ...ReadOption) (bool, error)
	// Scan runs over the entries of r; see DB.Scan.
	Scan(r Range, opts ...ReadOption) iter.Seq2[Entry, error]
	// NewIter makes an iterator over the keys of r; see DB.NewIter.
	NewIter(r Range, opts ...ReadOption) *Iterator
}

// Get returns a copy of the value of key, or ErrNotFound; see Reader.
func (db *DB) Get(key []byte, opts ...ReadOption) ([]byte, error) {
	return db.appendGet(nil, key, latest, db.readOptions(opts))
}

// AppendGet appends the value of key to dst; see Reader.
func (db *DB) AppendGet(dst, key []byte, opts ...ReadOption) ([]byte, error) {
	return db.appendGet(dst, key, latest, db.readOptions(opts))
}

// GetFunc calls fn with the value of key; see Reader. Close, called from fn, returns an error at once.
func (db *DB) GetFunc(key []byte, fn func(value []byte) error, opts ...ReadOption) error {
	return db.getFunc(key, fn, latest, db.readOptions(opts))
}

// Has says whether key is there; see Reader.
func (db *DB) Has(key []byte, opts ...ReadOption) (bool, error) {
	return db.has(key, latest, db.readOptions(opts))
}

// latest stands for the newest sequence number at the time of the read.
const latest = key.MaxSeq

func (db *DB) appendGet(dst, user []byte, seq key.Seq, o readOptions) ([]byte, error) {
	v := db.acquire(callUser)
	if v == nil {
		return dst, ErrClosed
	}
	defer db.release(v, callUser)
	access := sstable.Access{Mode: o.cacheMode()}
	defer access.Release() // after the value was copied
	value, err := db.find(v, user, seq, o, &access)
	if err != nil {
		return dst, err
	}
	if dst == nil {
		dst = make([]byte, 0, len(value)) // an empty value is not nil
	}
	return append(dst, value...), nil
}

func (db *DB) getFunc(user []byte, fn func([]byte) error, seq key.Seq, o readOptions) error {
	v := db.acquire(callUser)
	if v == nil {
		return ErrClosed
	}
	defer db.release(v, callUser)
	access := sstable.Access{Mode: o.cacheMode()}
	defer access.Release() // after fn
	value, err := db.find(v, user, seq, o, &access)
	if err != nil {
		return err
	}
	defer db.leaveCallback(db.enterCallback())
	return fn(lent(value))
}

func (db *DB) has(user []byte, seq key.Seq, o readOptions) (bool, error) {
	v := db.acquire(callUser)
	if v == nil {
		return false, ErrClosed
	}
	defer db.release(v, callUser)
	access := sstable.Access{Mode: o.cacheMode()}
	defer access.Release()
	switch _, err := db.find(v, user, seq, o, &access); err {
	case nil:
		return true, nil
	case ErrNotFound:
		return false, nil
	default:
		return false, err
	}
}

// find is the point read: memtables, newest first, then the tables whose range holds the key, newest data first;
// the first version met is the answer. The value is a view of a memtable or of a block, and valid until access is
// released. The key is hashed once, for the filters of all of them.
func (db *DB) find(v *view, user []byte, seq key.Seq, o readOptions, access *sstable.Access) ([]byte, error) {
	if len(user) > MaxKeySize {
		return nil, ErrNotFound
	}
	if seq == latest {
		seq = db.sequence()
	}
	hash := bloom.Sum(user)
	if value, kind, found := v.mem.search(user, hash, seq, o.trace); found {
		return valueOf(value, kind)
	}
	for _, m := range v.frozen {
		if value, kind, found := m.search(user, hash, seq, o.trace); found {
			return valueOf(value, kind)
		}
	}
	return db.findInTables(v, user, hash, seq, o, access)
}

// search is Get with a trace.
func (m *memTable) search(user []byte, hash bloom.Hash, seq key.Seq, trace *Trace) ([]byte, key.Kind, bool) {
	value, kind, found := m.GetHashed(user, hash, seq)
	trace.memTable(found)
	if found {
		trace.answered(kind)
	}
	return value, kind, found
}

// findInTables is the part of find in which a filter saves a disk read.
func (db *DB) findInTables(v *view, user []byte, hash bloom.Hash, seq key.Seq, o readOptions, access *sstable.Access) (
	[]byte, error) {
	candidates := v.version.Candidates(user)
	for place, ok := candidates.Next(); ok; place, ok = candidates.Next() {
		t := v.tables[place.Level][place.Index]
		filter := t.filterFor(o)
		if filter != nil && !filter.MayContain(hash) {
			t.filter.skipped()
			o.trace.tableSkipped(place.Level, t)
			continue
		}
		if filter == nil {
			db.wantFilter(t, o) // to be loaded while this read waits for the disk
		}
		r, err := db.tables.reader(t)
		if err != nil {
			return nil, db.noted(err)
		}
		access.Counts = sstable.Counts{} // the trace has those of each table
		value, kind, outcome, err := r.Get(user, seq, access)
		if err != nil {
			return nil, db.noted(err)
		}
		if filter != nil {
			t.filter.passed(outcome)
		} else {
			t.filter.unasked(t.whyUnasked(o), outcome)
		}
		o.trace.tableSearched(place.Level, t, filter, outcome, access.Counts)
		if outcome == sstable.Found {
			o.trace.answered(kind)
			return valueOf(value, kind)
		}
	}
	return nil, ErrNotFound
}

// filterFor is what is in memory of t's filter; nil when there is nothing, or the read ignores filters.
func (t *table) filterFor(o readOptions) *loadedFilter {
	if o.flags&readIgnoresFilters != 0 {
		return nil
	}
	return t.resident.Load()
}

// wantFilter lets the keeper know of a probe that could have asked t's filter, were it in memory.
func (db *DB) wantFilter(t *table, o readOptions) {
	if t.whyUnasked(o) == notResident {
		db.keeper.want()
	}
}

// valueOf is what a version of a key says: its value, or that the key is not there.
func valueOf(value []byte, kind key.Kind) ([]byte, error) {
	if kind == key.KindDelete {
		return nil, ErrNotFound
	}
	return value, nil
}
