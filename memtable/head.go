package memtable

import (
	"bytes"
	"math"

	"siftdb/internal/key"
)

// heads makes the heads of a table's items: eight bytes of the key as a big-endian number, those after a prefix that
// most keys are expected to share. Where keys share more than eight bytes beyond it, every comparison has to fetch
// both keys, which makes the tree three times slower (measured at a million keys).
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

// headsLike are heads for keys like those of t. The prefix is what the middle seven eighths of its keys share, so
// that a few keys of another kind do not spoil it; one byte less, since keys that count upwards go on beyond those
// that were seen.
func headsLike(t *Table) heads {
	t.mu.RLock()
	defer t.mu.RUnlock()
	margin := t.tree.Len() / 16
	var low, high ref
	t.tree.Ascend(nth(margin, &low))
	t.tree.Descend(nth(margin, &high))
	if low == 0 {
		return t.heads
	}
	a, b := t.userOf(low), t.userOf(high)
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
	lastReview  = firstReview * reviewStep * reviewStep // the tree is put in order anew within a few milliseconds
	never       = 0
)

// review gives the table heads for the keys that it has by now. The adder calls it; searches go on meanwhile.
func (t *Table) review() {
	if t.reviewAt *= reviewStep; t.reviewAt > lastReview {
		t.reviewAt = never
	}
	better := headsLike(t)
	if bytes.Equal(better.prefix, t.heads.prefix) {
		return
	}
	tree := t.newTree()
	t.tree.Ascend(func(it item) bool {
		it.head = better.of(t.userOf(it.newest))
		tree.ReplaceOrInsert(it)
		return true
	})
	t.mu.Lock()
	old := t.tree
	t.tree, t.heads = tree, better
	t.mu.Unlock()
	old.Clear(true)
}

// nth makes a visitor of items that stores the newest version of the one after n others.
func nth(n int, to *ref) func(item) bool {
	return func(it item) bool {
		*to = it.newest
		n--
		return n >= 0
	}
}
