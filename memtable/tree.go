package memtable

import (
	"bytes"
	"sync"
	"sync/atomic"

	"github.com/google/btree"

	"siftdb/internal/striped"
)

// tree maps user keys to the newest versions of them, in order. It has two layers. Below are leaves, in the arena;
// above is a B-tree of separators, one for each leaf but the first: a leaf has the keys from its separator up to that
// of the next leaf.
//
// One goroutine at a time may change the tree; it alone may look into it without locks. The others hold mu while they
// find a leaf and take its lock, under which they look into it; so a key that is added to a leaf with room, as most
// are, is in the way of those alone who look into that one.
type tree struct {
	arena  *arena
	probes probes
	locks  leafLocks
	keys   atomic.Int64

	mu          striped.RWMutex // of all below, and of the links between leaves; a leaf's lock is taken after it
	heads       heads
	separators  *btree.BTreeG[separator]
	first, last ref // leaves; 0 in an empty tree
}

// separator is the smallest key that may be in a leaf. It has no pointers, so that the collector does not look into the
// nodes of the B-tree.
type separator struct {
	head uint64 // of the key
	key  ref    // a version of the key, or a probe
	leaf ref
}

// degree of the B-tree: a node holds up to 2*degree-1 separators.
const degree = 32

// bytesPerSeparator is what the B-tree takes for each: 24 bytes in nodes that are two thirds full, and a node's slack.
const bytesPerSeparator = 48

func (t *tree) init(a *arena) {
	t.arena = a
	t.probes.init()
	t.clear()
}

// clear forgets all keys. The arena is somebody else's care.
func (t *tree) clear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.separators = t.noSeparators()
	t.first, t.last = 0, 0
	t.keys.Store(0)
}

func (t *tree) noSeparators() *btree.BTreeG[separator] { return btree.NewG(degree, t.less) }

// bytes is about what the tree takes outside the arena.
func (t *tree) bytes() int64 { return int64(t.separators.Len()) * bytesPerSeparator }

// less orders separators by their keys: keys with different heads are ordered as these are, and only for equal ones
// must the keys themselves be fetched.
func (t *tree) less(a, b separator) bool {
	if a.head != b.head {
		return a.head < b.head
	}
	return bytes.Compare(t.userOf(a.key), t.userOf(b.key)) < 0
}

// userOf is the user key that r stands for.
func (t *tree) userOf(r ref) []byte {
	if r&probeBit != 0 {
		return t.probes.user(r)
	}
	return t.arena.at(r).user()
}

// get is the newest version of user, if there is one.
func (t *tree) get(user []byte) (newest ref, found bool) {
	line := t.mu.RLock()
	at, head := t.leafFor(user)
	if at == 0 {
		t.mu.RUnlock(line)
		return 0, false
	}
	l, lock := t.enter(at)
	t.mu.RUnlock(line)
	if i, found := t.search(l, user, head); found {
		newest = l.newest(i)
	}
	lock.RUnlock()
	return newest, newest != 0
}

// enter is the leaf at the reference, and its lock, which it takes for reading. The caller holds mu.
func (t *tree) enter(at ref) (leaf, *sync.RWMutex) {
	lock := t.locks.of(at)
	lock.RLock()
	return t.arena.leafAt(at), lock
}

// place is where a key is in a tree, or where it would be put.
type place struct {
	head  uint64 // of the key
	at    ref    // of the leaf
	leaf  leaf   // nil in an empty tree
	index int
	found bool
}

// newest is the newest version of the key at a place where one was found.
func (p place) newest() ref { return p.leaf.newest(p.index) }

// find looks for user, for the one who changes the tree.
func (t *tree) find(user []byte) place {
	p := place{head: t.heads.of(user), at: t.last}
	if p.at == 0 {
		return p
	}
	p.leaf = t.arena.leafAt(p.at)
	if p.index = p.leaf.len(); p.leaf.head(p.index-1) < p.head {
		return p // keys that ascend are beyond all others
	}
	p.at = t.leafWith(user, p.head)
	p.leaf = t.arena.leafAt(p.at)
	p.index, p.found = t.search(p.leaf, user, p.head)
	return p
}

// leafFor is the leaf that has user if any does, 0 in an empty tree; and the head of user, to search it for.
func (t *tree) leafFor(user []byte) (at ref, head uint64) {
	head = t.heads.of(user)
	return t.leafWith(user, head), head
}

// leafWith is leafFor of a key whose head is known.
func (t *tree) leafWith(user []byte, head uint64) ref {
	at := t.first
	if t.separators.Len() == 0 {
		return at
	}
	probe := t.probes.take(user)
	t.separators.DescendLessOrEqual(separator{head: head, key: probe}, func(s separator) bool {
		at = s.leaf
		return false
	})
	t.probes.release(probe)
	return at
}

// search is the index in l of the first key that is not below user, and whether it is user.
func (t *tree) search(l leaf, user []byte, head uint64) (index int, found bool) {
	low := l.firstNotBelow(0, head)
	n := l.len()
	if low == n || l.head(low) != head {
		return low, false
	}
	// Nearly always one key has that head.
	high := low + 1
	if high < n && l.head(high) == head {
		high = l.firstAbove(low, head)
	}
	for low < high {
		middle := int(uint(low+high) / 2)
		switch c := bytes.Compare(t.userOf(l.newest(middle)), user); {
		case c == 0:
			return middle, true
		case c < 0:
			low = middle + 1
		default:
			high = middle
		}
	}
	return low, false
}

// replace makes r the newest version of the key that was found at p.
func (t *tree) replace(p place, r ref) {
	lock := t.locks.of(p.at)
	lock.Lock()
	p.leaf.setNewest(p.index, r)
	lock.Unlock()
}

// insert adds the key that was not found at p, with its version r.
func (t *tree) insert(p place, r ref) {
	switch {
	case p.leaf == nil:
		t.plant(p.head, r)
	case p.leaf.full():
		t.split(p, r)
	default:
		lock := t.locks.of(p.at)
		lock.Lock()
		p.leaf.insert(p.index, p.head, r)
		lock.Unlock()
	}
	t.keys.Add(1)
}

// plant makes the first leaf, of one key.
func (t *tree) plant(head uint64, r ref) {
	at, l := t.arena.newLeaf()
	l.insert(0, head, r)
	t.mu.Lock()
	t.first, t.last = at, at
	t.mu.Unlock()
}

// split gives the upper half of a full leaf to a new one after it, and inserts the key at p into either. Nobody sees
// the new leaf before it is whole. Keys often ascend, or descend: one that is beyond all of the leaf begins a leaf of
// its own, and leaves a full one behind.
//
// Not so before a leaf of less than half, which was begun like that and is not where its keys go: where they descend,
// in the midst of others, each would begin a leaf.
func (t *tree) split(p place, r ref) {
	next := p.leaf.next()
	middle := leafKeys / 2
	switch p.index {
	case 0:
		middle = 0
	case leafKeys:
		if next == 0 || t.arena.leafAt(next).len() >= middle {
			middle = leafKeys
		}
	}
	goesRight := p.index > middle || middle == leafKeys
	rightAt, right := t.arena.newLeaf()
	right.copyFrom(p.leaf, middle)
	if goesRight {
		right.insert(p.index-middle, p.head, r)
	}
	right.setNext(next)
	right.setPrevious(p.at)

	t.mu.Lock()
	defer t.mu.Unlock()
	lock := t.locks.of(p.at)
	lock.Lock()
	p.leaf.setLen(middle)
	if !goesRight {
		p.leaf.insert(p.index, p.head, r)
	}
	lock.Unlock()
	p.leaf.setNext(rightAt)
	if next != 0 {
		t.arena.leafAt(next).setPrevious(rightAt)
	} else {
		t.last = rightAt
	}
	t.separators.ReplaceOrInsert(separator{right.head(0), right.newest(0), rightAt})
}
