package memtable

import (
	"fmt"
	"sync/atomic"

	"github.com/google/btree"

	"siftdb/bloom"
	"siftdb/internal/key"
)

const (
	// MaxUserKey is the length in bytes of the longest user key that a Table takes.
	MaxUserKey = key.MaxUser
	// MaxValue is the length in bytes of the longest value that a Table takes.
	MaxValue = 1 << 30
)

// degree of the tree: a node holds up to 2*degree-1 items.
const degree = 64

// bytesPerItem is what the tree takes for a user key: an item of 16 bytes in nodes that are, with keys in random
// order, two thirds full, and, in ascending order, half full.
const bytesPerItem = 28

// Table is a memtable. One goroutine at a time may Add; everything else may be called by any number of goroutines,
// beside the one that adds.
type Table struct {
	arena  arena
	filter *bloom.Growing // of the user keys; written before the tree
	probes probes
	nodes  *btree.FreeListG[item]

	mu    treeLock
	heads heads               // of the items of tree; guarded by mu
	tree  *btree.BTreeG[item] // guarded by mu

	reviewAt int // the adder's: how many keys there are when heads are looked at again

	entries atomic.Int64
	keys    atomic.Int64 // items of the tree
	bytes   atomic.Int64
}

// New makes an empty table by itself, whose memory is the collector's. sizeHint is the number of bytes it is expected
// to grow to, as Bytes counts; it sets the steps in which memory is taken, and is no limit. 0 is small steps.
func New(sizeHint int64) *Table {
	return newTable(sizeHint, nil, btree.NewFreeListG[item](0))
}

func newTable(sizeHint int64, pool *Pool, nodes *btree.FreeListG[item]) *Table {
	t := &Table{filter: newFilter(sizeHint), nodes: nodes, reviewAt: firstReview}
	t.arena.init(sizeHint, pool)
	t.probes.init()
	t.tree = t.newTree()
	return t
}

func (t *Table) newTree() *btree.BTreeG[item] {
	return btree.NewWithFreeListG(degree, t.less, t.nodes)
}

// Release gives the table's memory to the next one of its pool. From then on there must be no call but of Bytes, Len
// and Empty, no iterator, and nobody who looks at what the table handed out: another table writes there.
func (t *Table) Release() {
	t.mu.Lock()
	t.tree.Clear(true)
	t.mu.Unlock()
	t.arena.release()
}

// Add adds one entry; it copies the key and the value. The sequence numbers of a user key only rise from one Add to
// the next. A key or value beyond MaxUserKey or MaxValue, or a sequence number that does not rise, is a fault of
// the caller: Add panics.
func (t *Table) Add(k key.Key, value []byte) {
	if len(k.User) > MaxUserKey || len(value) > MaxValue {
		panic(fmt.Sprintf("memtable: key of %d bytes, value of %d", len(k.User), len(value)))
	}
	r, b := t.arena.alloc(headerSize + len(k.User) + len(value) + linksSize)
	e := entry(b)
	e.write(k, value)
	it := t.itemOf(k.User, r)

	t.filter.Add(bloom.Sum(k.User)) // before anyone can find the entry in the tree
	t.mu.Lock()
	old, replaced := t.tree.ReplaceOrInsert(it)
	if replaced {
		t.arena.extend(e, old.newest)
	}
	keys := t.tree.Len()
	t.mu.Unlock()

	if !replaced {
		t.arena.giveBack(r, linksSize)
	} else if older := t.arena.at(old.newest).trailer(); older >= k.Trailer {
		panic(fmt.Sprintf("memtable: %q added with sequence number %d after %d", string(k.User), k.Seq(), older.Seq()))
	}
	t.keys.Store(int64(keys))
	t.entries.Store(t.entries.Load() + 1)
	t.bytes.Store(t.arena.reserved + int64(keys)*bytesPerItem + int64(t.filter.Bits()/8))
	if keys == t.reviewAt {
		t.review()
	}
}

// Get finds the newest version of user that a view at seq sees. The value is a view: it never changes, and lives until
// Release, and beyond the table where nobody calls that. It is empty for a deletion, which is found, too.
// Get does not keep user and does not allocate, except that the first searches for a key of more than 40 bytes make
// room for it. (The compiler cannot tell, and moves a key on the caller's stack to the heap; GetHashed leaves it there.)
func (t *Table) Get(user []byte, seq key.Seq) (value []byte, kind key.Kind, found bool) {
	return t.GetHashed(user, bloom.Sum(user), seq)
}

// GetHashed is Get for a caller that has the hash of user already: a read of a store makes it once, for all memtables
// and tables.
func (t *Table) GetHashed(user []byte, hash bloom.Hash, seq key.Seq) (value []byte, kind key.Kind, found bool) {
	if !t.filter.MayContain(hash) {
		return nil, 0, false
	}
	probe := t.probes.take(user)
	t.mu.RLock()
	it, ok := t.tree.Get(t.itemOf(user, probe))
	t.mu.RUnlock()
	t.probes.release(probe)
	if !ok {
		return nil, 0, false
	}
	e := t.arena.newestUpTo(it.newest, visibleAt(seq))
	if e == nil {
		return nil, 0, false
	}
	return e.value(), e.trailer().Kind(), true
}

// visibleAt is the largest trailer that a view at seq sees.
func visibleAt(seq key.Seq) key.Trailer { return key.MakeTrailer(seq, 0xff) }

// Bytes is the memory that the table takes: the chunks of its arena, whole, its filter, and the estimated size of the
// tree's nodes. The few KiB that an empty table has are not counted.
func (t *Table) Bytes() int64 { return t.bytes.Load() }

// Len is the number of entries, all versions counted.
func (t *Table) Len() int { return int(t.entries.Load()) }

// Empty reports whether nothing was added yet.
func (t *Table) Empty() bool { return t.entries.Load() == 0 }
