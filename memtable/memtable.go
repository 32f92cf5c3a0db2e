package memtable

import (
	"fmt"
	"sync/atomic"

	"siftdb/bloom"
	"siftdb/internal/key"
)

const (
	// MaxUserKey is the length in bytes of the longest user key that a Table takes.
	MaxUserKey = key.MaxUser
	// MaxValue is the length in bytes of the longest value that a Table takes.
	MaxValue = 1 << 30
)

// Table is a memtable. One goroutine at a time may Add; everything else may be called by any number of goroutines,
// beside the one that adds.
type Table struct {
	arena  arena
	filter *bloom.Growing // of the user keys; written before the tree
	tree   tree           // of the user keys, over the arena

	reviewAt int64 // the adder's: how many keys there are when heads are looked at again

	entries atomic.Int64
	bytes   atomic.Int64
}

// New makes an empty table by itself, whose memory is the collector's. sizeHint is the number of bytes it is expected
// to grow to, as Bytes counts; it sets the steps in which memory is taken, and is no limit. 0 is small steps.
func New(sizeHint int64) *Table { return newTable(sizeHint, nil) }

func newTable(sizeHint int64, pool *Pool) *Table {
	t := &Table{filter: newFilter(sizeHint), reviewAt: firstReview}
	t.arena.init(sizeHint, pool)
	t.tree.init(&t.arena)
	return t
}

// Release gives the table's memory to the next one of its pool. From then on there must be no call but of Bytes, Len
// and Empty, no iterator, and nobody who looks at what the table handed out: another table writes there.
func (t *Table) Release() {
	t.tree.clear()
	t.arena.release()
}

// Add adds one entry; it copies the key and the value. The sequence numbers of a user key only rise from one Add to
// the next. A key or value beyond MaxUserKey or MaxValue, or a sequence number that does not rise, is a fault of
// the caller: Add panics.
func (t *Table) Add(k key.Key, value []byte) {
	if len(k.User) > MaxUserKey || len(value) > MaxValue {
		panic(fmt.Sprintf("memtable: key of %d bytes, value of %d", len(k.User), len(value)))
	}
	p := t.tree.find(k.User)
	if p.found {
		older := p.newest()
		if last := t.arena.at(older).trailer(); last >= k.Trailer {
			panic(fmt.Sprintf("memtable: %q added with sequence number %d after %d", string(k.User), k.Seq(), last.Seq()))
		}
		r, e := t.arena.add(k, value, linksSize)
		t.arena.extend(e, older)
		t.tree.replace(p, r)
	} else {
		r, _ := t.arena.add(k, value, noLinks)
		t.filter.Add(bloom.Sum(k.User)) // before anyone can find the entry in the tree
		t.tree.insert(p, r)
	}

	t.entries.Store(t.entries.Load() + 1)
	t.bytes.Store(t.arena.reserved + t.tree.bytes() + int64(t.filter.Bits()/8))
	if t.tree.keys.Load() == t.reviewAt {
		t.review()
	}
}

// Get finds the newest version of user that a view at seq sees. The value is a view: it never changes, and lives until
// Release, and beyond the table where nobody calls that. It is empty for a deletion, which is found, too. Get does not
// keep user and does not allocate, except that the first searches for a key of more than 40 bytes make room for it.
// (The compiler cannot tell, and moves a key on the caller's stack to the heap; GetHashed leaves it there.)
func (t *Table) Get(user []byte, seq key.Seq) (value []byte, kind key.Kind, found bool) {
	return t.GetHashed(user, bloom.Sum(user), seq)
}

// GetHashed is Get for a caller that has the hash of user already: a read of a store makes it once, for all memtables
// and tables.
func (t *Table) GetHashed(user []byte, hash bloom.Hash, seq key.Seq) (value []byte, kind key.Kind, found bool) {
	if !t.filter.MayContain(hash) {
		return nil, 0, false
	}
	newest, found := t.tree.get(user)
	if !found {
		return nil, 0, false
	}
	e := t.arena.newestUpTo(newest, visibleAt(seq))
	if e == nil {
		return nil, 0, false
	}
	return e.value(), e.trailer().Kind(), true
}

// visibleAt is the largest trailer that a view at seq sees.
func visibleAt(seq key.Seq) key.Trailer { return key.MakeTrailer(seq, 0xff) }

// Bytes is the memory that the table takes: the chunks of its arena, whole, its filter, and the estimated size of
// what the tree has outside the arena. The few KiB that an empty table has are not counted.
func (t *Table) Bytes() int64 { return t.bytes.Load() }

// Len is the number of entries, all versions counted.
func (t *Table) Len() int { return int(t.entries.Load()) }

// Empty reports whether nothing was added yet.
func (t *Table) Empty() bool { return t.entries.Load() == 0 }
