package sstable

import (
	"bytes"

	"siftdb/internal/key"
)

// Iter is an iter.Iterator over all entries of a table, versions and deletions included. Blocks are read as it
// reaches them; making one reads nothing. The bytes of Key and Value live until the next move or Close.
type Iter struct {
	r      *Reader
	a      *Access
	ahead  ahead
	source source // reads through ahead
	memory memory // of blocks that the cache does not have as they are read
	block  blockIter
	i      int // the block's number
	valid  bool
	err    error
}

// NewIter makes an iterator at no entry. It works as a says and counts into it until it is closed, in the
// goroutine that moves it; the caller may read the counts between moves.
func (r *Reader) NewIter(a *Access) *Iter {
	it := new(Iter)
	it.Reset(r, a)
	return it
}

// Reset makes an iterator that is closed or new one over another table, with the memory that it has.
func (it *Iter) Reset(r *Reader, a *Access) {
	*it = Iter{r: r, a: a, block: it.block, ahead: it.ahead, memory: it.memory}
	it.ahead.reset(r.sourceFor(a.Mode).file, r.footer.data, a.Mode)
	it.source = source{&it.ahead, r.source.name}
}

// First moves to the table's smallest entry.
func (it *Iter) First() bool {
	it.err = nil
	return it.done(it.r.index.blocks() > 0 && it.enter(0) && it.block.first())
}

// Last moves to the table's largest entry.
func (it *Iter) Last() bool {
	it.err = nil
	n := it.r.index.blocks()
	return it.done(n > 0 && it.enter(n-1) && it.block.last())
}

// SeekGE moves to the smallest entry that is >= k.
func (it *Iter) SeekGE(k key.Key) bool {
	it.err = nil
	for i := it.r.index.search(k.User); i < it.r.index.blocks(); i++ {
		if !it.enter(i) {
			return it.done(false)
		}
		if it.block.seekGE(k) || it.block.bad {
			return it.done(!it.block.bad)
		}
	}
	return it.done(false)
}

// SeekLT moves to the largest entry that is < k.
func (it *Iter) SeekLT(k key.Key) bool {
	it.err = nil
	n := it.r.index.blocks()
	for i := it.r.index.search(k.User); i < n; i++ {
		if !it.enter(i) {
			return it.done(false)
		}
		if it.block.seekGE(k) {
			return it.done(it.block.prev() || it.lastOf(i-1))
		}
		if it.block.bad {
			return it.done(false)
		}
		// All of the block is before k. The next has more of that only if versions of k's user key go on there.
		if !it.block.last() || i == n-1 || !bytes.Equal(it.block.user, k.User) {
			return it.done(!it.block.bad)
		}
	}
	return it.done(false)
}

// Next moves to the next larger entry.
func (it *Iter) Next() bool {
	if it.block.next() {
		return true
	}
	return it.done(!it.block.bad && it.i+1 < it.r.index.blocks() && it.enter(it.i+1) && it.block.first())
}

// Prev moves to the next smaller entry.
func (it *Iter) Prev() bool {
	if it.block.prev() {
		return true
	}
	return it.done(it.lastOf(it.i - 1))
}

// lastOf moves to the last entry of block i, if there is such a block and nothing went wrong before.
func (it *Iter) lastOf(i int) bool {
	return !it.block.bad && i >= 0 && it.enter(i) && it.block.last()
}

// enter makes block i the current one, at none of its entries, and reads it unless it is the current one.
func (it *Iter) enter(i int) bool {
	if it.valid && it.i == i {
		return true
	}
	b, err := it.r.blockInto(&it.memory, i, &it.source, it.a)
	if err != nil {
		it.err = err
		return false
	}
	it.block.reset(b)
	it.i = i
	return true
}

// done ends a move: ok says whether it reached an entry.
func (it *Iter) done(ok bool) bool {
	if it.valid = ok; !ok && it.block.bad && it.err == nil {
		it.err = it.r.badEntry(it.i, it.block.at)
		it.block.bad = false
	}
	return ok
}

// Valid reports whether the iterator is at an entry.
func (it *Iter) Valid() bool { return it.valid }

// Key is the current entry's key; its bytes live until the next move.
func (it *Iter) Key() key.Key { return it.block.key() }

// Value is the current entry's value; its bytes live until the next move.
func (it *Iter) Value() []byte { return it.block.value }

// Err is the error that ended the walk, or nil.
func (it *Iter) Err() error { return it.err }

// Close lets go of the table and the block. It returns Err.
func (it *Iter) Close() error {
	it.block.reset(block{})
	it.block.passed.forget()
	it.ahead.close()
	if cap(it.memory) > keptAhead {
		it.memory = nil
	}
	it.r, it.a, it.valid = nil, nil, false
	return it.err
}
