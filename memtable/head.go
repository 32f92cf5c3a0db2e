package memtable

import (
	"bytes"
	"math"

	"siftdb/internal/key"
)

// heads makes the heads of the keys in a tree: eight bytes of the key as a big-endian number, those after a prefix that
// most keys are expected to share. Where keys share more than eight bytes beyond it, every comparison has to fetch
// keys, which makes the tree three times slower (measured at a million keys).
//
// The order of heads never contradicts that of the keys, whatever the prefix is and whether or not a key has it.
type heads struct{ prefix []byte }

// of is the head of user.
func (h heads) of(user []byte) uint64 {
	if bytes.HasPrefix(user, h.prefix) {
		return key.Head(user[len(h.prefix):])
	}
	if bytes.Compare(user, h.prefix) < 0 {
		return 0
	}
	return math.MaxUint64
}

// headsLike are heads for keys like those in t. The prefix is no longer than what the middle seven eighths of its keys
// share, so that a few keys of another kind do not spoil it; one byte less, since keys that count upwards go on beyond
// those that were seen. And it leaves out no more than it must for heads to tell keys apart: keys without the prefix are
// compared whole, and the shorter it is, the more of those to come have it.
func headsLike(t *tree) heads {
	defer t.mu.RUnlock(t.mu.RLock())
	keys := int(t.keys.Load())
	if keys == 0 {
		return t.heads
	}
	margin := keys / 16
	a, b := t.userOf(t.nth(margin)), t.userOf(t.nthLast(margin))
	length := sharedPrefix(a, b) - 1
	if keys > 1 {
		length = min(length, t.telling()-8)
	}
	return heads{bytes.Clone(a[:max(length, 0)])} // a clone, not to keep a chunk of t's arena alive
}

// telling is how many bytes of the keys in t tell all from their neighbours, by a sample of leaves, and two more, for a
// table will have more keys than the one that it follows has now. The caller holds mu.
func (t *tree) telling() int {
	const sample = 8
	most := t.tellingIn(t.first)
	every, i := t.separators.Len()/sample+1, 0
	t.separators.Ascend(func(s separator) bool {
		if i++; i%every == 0 {
			most = max(most, t.tellingIn(s.leaf))
		}
		return true
	})
	return most
}

// tellingIn is telling by the keys of one leaf.
func (t *tree) tellingIn(at ref) (most int) {
	l, lock := t.enter(at)
	defer lock.RUnlock()
	before := t.userOf(l.newest(0))
	for i := 1; i < l.len(); i++ {
		user := t.userOf(l.newest(i))
		most = max(most, min(sharedPrefix(before, user)+3, max(len(before), len(user))))
		before = user
	}
	return most
}

// sharedPrefix is how many bytes a and b begin with alike.
func sharedPrefix(a, b []byte) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// Heads are looked at again when a table has so many keys, and each time that it has reviewStep times as many. A table
// that nothing was known of would stay three times as slow as one with the right prefix.
const (
	firstReview = 256
	reviewStep  = 8
	lastReview  = firstReview * reviewStep * reviewStep // the heads are made anew within a few milliseconds
	never       = 0
)

// review gives the table heads for the keys that it has by now. The adder calls it; searches go on meanwhile.
func (t *Table) review() {
	if t.reviewAt *= reviewStep; t.reviewAt > lastReview {
		t.reviewAt = never
	}
	better := headsLike(&t.tree)
	if !bytes.Equal(better.prefix, t.tree.heads.prefix) {
		t.tree.setHeads(better)
	}
}

// setHeads gives all keys other heads, in whose order they are already. The one who changes the tree calls it; searches
// go on while the heads are made.
func (t *tree) setHeads(h heads) {
	fresh := make([]uint64, 0, t.keys.Load())
	for at := t.first; at != 0; at = t.arena.leafAt(at).next() {
		l := t.arena.leafAt(at)
		for i := range l.len() {
			fresh = append(fresh, h.of(t.userOf(l.newest(i))))
		}
	}
	separators := t.noSeparators()
	t.separators.Ascend(func(s separator) bool {
		s.head = h.of(t.userOf(s.key))
		separators.ReplaceOrInsert(s)
		return true
	})

	t.mu.Lock()
	defer t.mu.Unlock()
	for at := t.first; at != 0; at = t.arena.leafAt(at).next() {
		lock := t.locks.of(at)
		lock.Lock()
		fresh = t.arena.leafAt(at).takeHeads(fresh)
		lock.Unlock()
	}
	t.heads, t.separators = h, separators
}
