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

// headsLike are heads for keys like those in t. The prefix is what the middle seven eighths of its keys share, so
// that a few keys of another kind do not spoil it; one byte less, since keys that count upwards go on beyond those
// that were seen.
func headsLike(t *tree) heads {
	t.mu.RLock()
	defer t.mu.RUnlock()
	keys := int(t.keys.Load())
	if keys == 0 {
		return t.heads
	}
	margin := keys / 16
	a, b := t.userOf(t.nth(margin)), t.userOf(t.nthLast(margin))
	shared := 0
	for shared < min(len(a), len(b)) && a[shared] == b[shared] {
		shared++
	}
	return heads{bytes.Clone(a[:max(shared-1, 0)])} // a clone, not to keep a chunk of t's arena alive
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
