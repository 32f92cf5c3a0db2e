package db

import (
	"bytes"
	"iter"
	"time"

	internal "siftdb/internal/iter"
	"siftdb/internal/key"
	"siftdb/sstable"
)

// Iterator walks over the keys of a Range, in their order, as they were when it was made. A fresh one is at no
// key: its Next is First, its Prev is Last. It must be closed. One goroutine at a time.
//
// Each move reports whether the iterator is at a key afterwards. Past the end, Prev is Last; before the start,
// Next is First; further moves the same way stay false. An error sticks: moves are false, Err and Close say why.
type Iterator struct {
	db     *DB
	view   *view
	state  *iterState        // lent until Close
	in     internal.Iterator // over the sources of the view, in state
	seq    key.Seq           // what is newer is not seen
	bounds Range             // in state
	trace  *Trace
	access sstable.Access // of all tables that in reads

	at     position
	toward direction
	// The user key and its value. Walking forward, in is at the entry that they are of. Walking backward, the newest
	// version of a key is known only when in is past it, so that they are copies in state.
	key, value []byte

	err    error
	closed bool
}

type position uint8

const (
	fresh position = iota
	beforeStart
	atKey
	pastEnd
)

type direction uint8

const (
	forward direction = iota
	backward
)

// NewIter makes an iterator over the keys of r: always in key order; Range.Reverse and Range.Limit shape only
// All. It never fails: errors come from Err and Close. On a closed store every move gives ErrClosed.
func (db *DB) NewIter(r Range, opts ...ReadOption) *Iterator {
	return db.newIter(r, latest, db.readOptions(opts))
}

// closedIterator is one of a closed store: it has none, and nothing to give up.
func closedIterator() *Iterator { return &Iterator{err: ErrClosed} }

func (db *DB) newIter(r Range, seq key.Seq, o readOptions) *Iterator {
	v := db.acquire(iteratorUser)
	if v == nil {
		return closedIterator()
	}
	if seq == latest {
		seq = db.sequence()
	}
	it := &Iterator{db: db, view: v, seq: seq, state: db.takeIterState(), trace: o.trace}
	it.access.Mode = o.cacheMode()
	it.bounds = it.state.keepBounds(r)
	db.mu.Lock()
	db.iterators[it] = time.Now()
	db.mu.Unlock()
	it.in, it.err = it.state.over(v, it)
	db.noted(it.err)
	return it
}

// usable says whether moves can be made at all.
func (it *Iterator) usable() bool {
	if it.err == nil && it.db.closed.Load() {
		it.err = ErrClosed
	}
	if it.err != nil {
		it.at = fresh
	}
	return it.err == nil
}

// First moves to the smallest key of the range.
func (it *Iterator) First() bool { return it.SeekGE(it.bounds.Lower) }

// Last moves to the largest key of the range.
func (it *Iterator) Last() bool {
	if !it.usable() {
		return false
	}
	if it.bounds.Upper == nil {
		it.in.Last()
	} else {
		it.in.SeekLT(key.Lookup(it.bounds.Upper, key.MaxSeq))
	}
	return it.settleBackward()
}

// SeekGE moves to the smallest key that is at or after target, which is read during the call only. A nil target
// is the empty key.
func (it *Iterator) SeekGE(target []byte) bool {
	if !it.usable() {
		return false
	}
	if bytes.Compare(target, it.bounds.Lower) < 0 {
		target = it.bounds.Lower
	}
	it.state.keep(target) // it may be the bytes that Key handed out, which the move overwrites
	it.in.SeekGE(key.Lookup(it.state.skip, key.MaxSeq))
	return it.settleForward(nil)
}

// SeekLT moves to the largest key that is before target, which is read during the call only. A nil target is the
// empty key, before which there is none.
func (it *Iterator) SeekLT(target []byte) bool {
	if !it.usable() {
		return false
	}
	if upper := it.bounds.Upper; upper != nil && bytes.Compare(target, upper) > 0 {
		target = upper
	}
	it.state.keep(target) // as in SeekGE
	it.in.SeekLT(key.Lookup(it.state.skip, key.MaxSeq))
	return it.settleBackward()
}

// Next moves to the next larger key.
func (it *Iterator) Next() bool {
	switch {
	case !it.usable() || it.at == pastEnd:
		return false
	case it.at != atKey:
		return it.First()
	case it.toward == backward:
		it.in.SeekGE(key.Key{User: it.key}) // the oldest version there can be of the key
		return it.settleForward(it.key)
	}
	it.state.keep(it.key)
	it.in.Next()
	return it.settleForward(it.state.skip)
}

// Prev moves to the next smaller key.
func (it *Iterator) Prev() bool {
	switch {
	case !it.usable() || it.at == beforeStart:
		return false
	case it.at != atKey:
		return it.Last()
	case it.toward == forward:
		it.state.keep(it.key)
		it.in.SeekLT(key.Lookup(it.state.skip, key.MaxSeq))
	}
	return it.settleBackward()
}

// settleForward goes on from in's entry to the first that is seen: the newest version that is old enough, of a
// key that it does not delete. Versions of passed, where not nil, have been dealt with.
func (it *Iterator) settleForward(passed []byte) bool {
	it.toward = forward
	for it.in.Valid() {
		k := it.in.Key()
		switch {
		case it.bounds.Upper != nil && bytes.Compare(k.User, it.bounds.Upper) >= 0:
			it.at = pastEnd
			return false
		case k.Seq() > it.seq, passed != nil && bytes.Equal(k.User, passed):
			it.in.Next()
		case k.Kind() == key.KindDelete:
			it.db.stats.deletionsPassed.Add(1)
			it.state.keep(k.User)
			passed = it.state.skip
			it.in.Next()
		default:
			it.key = k.User
			it.value = it.in.Value()
			it.at = atKey
			return true
		}
	}
	return it.ranOff(pastEnd)
}

// settleBackward goes on from in's entry, which is the oldest version of its key, to the first key that is seen.
func (it *Iterator) settleBackward() bool {
	it.toward = backward
	for {
		switch it.newestOfKey() {
		case key.KindSet:
			it.key, it.value = it.state.keyBuf, it.state.valueBuf
			it.at = atKey
			return true
		case key.KindDelete:
			it.db.stats.deletionsPassed.Add(1)
			continue
		}
		return it.ranOff(beforeStart)
	}
}

// noVersion is what newestOfKey returns before the start of the range.
const noVersion = key.KindMax + 1

// newestOfKey goes backward over all versions of in's key, keeps the newest that is old enough and returns its
// kind. Keys without such a version are passed over.
func (it *Iterator) newestOfKey() key.Kind {
	kind := noVersion
	for it.in.Valid() {
		k := it.in.Key()
		switch {
		case kind != noVersion && !bytes.Equal(k.User, it.state.keyBuf):
			return kind
		case bytes.Compare(k.User, it.bounds.Lower) < 0:
			return kind
		case k.Seq() <= it.seq:
			kind = k.Kind()
			it.state.keyBuf = append(it.state.keyBuf[:0], k.User...)
			it.state.valueBuf = append(it.state.valueBuf[:0], it.in.Value()...)
		}
		it.in.Prev()
	}
	if it.in.Err() != nil {
		return noVersion // the versions not seen may be the ones that count
	}
	return kind
}

// ranOff ends a walk that found no more entries, or could not.
func (it *Iterator) ranOff(at position) bool {
	it.at = at
	if err := it.in.Err(); err != nil {
		it.at, it.err = fresh, it.db.noted(err)
	}
	return false
}

// Valid reports whether the iterator is at a key.
func (it *Iterator) Valid() bool { return it.at == atKey && !it.closed }

// Key is the key, nil when not Valid. The bytes are the iterator's: they must not be changed and are valid until
// its next move; copy them to keep them.
func (it *Iterator) Key() []byte {
	if !it.Valid() {
		return nil
	}
	return lent(it.key)
}

// Value is the value, nil when not Valid or with Range.KeysOnly. Its bytes live as Key's do.
func (it *Iterator) Value() []byte {
	if !it.Valid() || it.bounds.KeysOnly {
		return nil
	}
	return lent(it.value)
}

// lent is b for a caller who must not append to it, and who may take nil for nothing at all.
func lent(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b[:len(b):len(b)]
}

// All runs over the keys and values from First, or from Last backward with Range.Reverse, at most Range.Limit of
// them. They live as those of Key and Value do. It does not close the iterator; Err says why it ended.
func (it *Iterator) All() iter.Seq2[[]byte, []byte] {
	first, next := it.First, it.Next
	if it.bounds.Reverse {
		first, next = it.Last, it.Prev
	}
	return func(yield func([]byte, []byte) bool) {
		count := 0
		for ok := first(); ok; ok = next() {
			if !yield(it.Key(), it.Value()) {
				return
			}
			if count++; count == it.bounds.Limit {
				return
			}
		}
	}
}

// Err is the error that ended the walk; nil when there was none; ErrClosed after Close.
func (it *Iterator) Err() error { return it.err }

// Close gives up what the iterator holds and returns Err. Closing it again does nothing and returns nil.
func (it *Iterator) Close() error {
	if it.closed {
		return nil
	}
	it.closed = true
	err := it.err
	it.err = ErrClosed
	if it.db == nil {
		return err
	}
	if it.in != nil {
		it.in.Close()
	}
	it.db.giveIterState(it.state)
	it.state, it.in, it.key, it.value = nil, nil, nil, nil
	it.trace.accessed(it.access.Counts)
	it.db.mu.Lock()
	delete(it.db.iterators, it)
	it.db.mu.Unlock()
	it.db.release(it.view, iteratorUser)
	return err
}
