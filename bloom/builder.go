package bloom

import (
	"iter"
	"sync"
)

// Builder collects the hashes of one table's distinct user keys, tombstones included, and turns them into the table's
// filter. One goroutine at a time.
type Builder interface {
	// Add takes one key. A key added twice is harmless to the answers, but counted and paid for twice.
	Add(h Hash)
	// Len is the number of keys added.
	Len() int
	// Append appends the filter's bytes, header and payload with their checksums, to dst and returns the longer
	// slice. The Builder is spent afterwards. The error is a *ParameterError for a filter too large for this machine
	// or this format; dst is returned as it was.
	Append(dst []byte) ([]byte, error)
}

// Borrower is a Builder that need not have hashes of its own. All builders of this package are.
type Borrower interface {
	Builder
	// Borrow takes n keys whose hashes somebody else keeps, beside those of Add. Append walks over hashes, more than
	// once where a family needs it, and must find the same each time; it neither changes what it is shown nor keeps it
	// beyond the step. After Append nothing of hashes is used any more.
	Borrow(hashes iter.Seq[[]Hash], n int)
}

// arrayBuilder serves the families whose filter is one array of words, filled when all keys are known.
type arrayBuilder struct {
	hashList
	family     Family
	bitsPerKey float64
	// fill makes the array from the hashes, for the keys and bits that the header asks for, and sets its parameters.
	fill func(h *Header, keys *hashList) ([]uint64, error)
}

// Append fills the array and appends it.
func (b *arrayBuilder) Append(dst []byte) ([]byte, error) {
	h := Header{Family: b.family, Keys: uint64(b.n), AskedBits: b.bitsPerKey}
	if h.Keys == 0 {
		return appendFilter(dst, h, nil), nil
	}
	words, err := b.fill(&h, &b.hashList)
	if err != nil {
		return dst, err
	}
	return appendFilter(dst, h, words), nil
}

// appendClassic appends a classic filter of the keys: for builders whose family does not suit them.
func appendClassic(dst []byte, keys *hashList, bitsPerKey float64) ([]byte, error) {
	classic := arrayBuilder{hashList: *keys, family: FamilyClassic, bitsPerKey: bitsPerKey, fill: fillClassic}
	*keys = hashList{}
	return classic.Append(dst)
}

const (
	firstChunk = 64   // hashes: 1 KiB
	fullChunk  = 4096 // hashes: 64 KiB
)

// fullChunks are chunks that no list has, of fullChunk hashes each: *[fullChunk]Hash. A compaction builds one filter
// after the other, and each would leave 16 bytes a key to the collector, twice where it deals its keys out to parts.
var fullChunks = sync.Pool{New: func() any { return new([fullChunk]Hash) }}

// hashList holds 16 bytes a key, in chunks: a slice that grew by copying would hold up to three times as much while it
// grows, at the moment when a compaction's memory is at its highest. Those that are lent it does not hold.
type hashList struct {
	lent iter.Seq[[]Hash] // nil: none
	full [][]Hash
	open []Hash
	n    int
}

// Borrow adds n hashes that stay somebody else's, once.
func (l *hashList) Borrow(hashes iter.Seq[[]Hash], n int) {
	l.lent = hashes
	l.n += n
}

// Add appends one hash.
func (l *hashList) Add(h Hash) {
	if len(l.open) == cap(l.open) {
		l.grow()
	}
	l.open = append(l.open, h)
	l.n++
}

func (l *hashList) grow() {
	if len(l.open) > 0 {
		l.full = append(l.full, l.open)
	}
	if 2*cap(l.open) < fullChunk {
		l.open = make([]Hash, 0, max(firstChunk, 2*cap(l.open)))
	} else {
		l.open = fullChunks.Get().(*[fullChunk]Hash)[:0]
	}
}

// Len is the number of hashes.
func (l *hashList) Len() int { return l.n }

// each calls fn with each chunk, those that are lent first. fn must not keep it.
func (l *hashList) each(fn func(chunk []Hash)) {
	l.eachLent(fn)
	for _, chunk := range l.full {
		fn(chunk)
	}
	fn(l.open)
}

func (l *hashList) eachLent(fn func(chunk []Hash)) {
	if l.lent == nil {
		return
	}
	for chunk := range l.lent {
		fn(chunk)
	}
}

// drain is each, and gives each chunk that is the list's own away.
func (l *hashList) drain(fn func(chunk []Hash)) {
	l.eachLent(fn)
	for i, chunk := range l.full {
		fn(chunk)
		l.full[i] = nil
		giveAway(chunk)
	}
	fn(l.open)
	giveAway(l.open)
	*l = hashList{}
}

// clear gives all hashes away, without a look at those that are lent.
func (l *hashList) clear() {
	l.lent = nil
	l.drain(func([]Hash) {})
}

// giveAway lets other lists have a chunk. Smaller ones than full are the collector's.
func giveAway(chunk []Hash) {
	if cap(chunk) == fullChunk {
		fullChunks.Put((*[fullChunk]Hash)(chunk[:fullChunk]))
	}
}
