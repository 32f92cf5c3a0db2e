package sstable

import (
	"iter"

	"siftdb/internal/key"
)

// SectionKind says what a Section of a table file is.
type SectionKind uint8

// The kinds of sections, in the order in which they stand in a file.
const (
	SectionData SectionKind = iota
	SectionFilter
	SectionIndex
	SectionProperties
	SectionFooter
)

// String is the kind in one word, as dumps print it.
func (k SectionKind) String() string {
	return [...]string{"data", "filter", "index", "properties", "footer"}[k]
}

// Section is one block, or the footer, of a table file.
type Section struct {
	Kind SectionKind
	// Offset and Length give its place in the file, in bytes; a block's trailer is included.
	Offset, Length int64
	// Content is its size in bytes once uncompressed, without trailer; 0 for a damaged block.
	Content int64
	// Entries is the number of entries in a data block, and of data blocks in the index.
	Entries int
	// First and Last are the keys at the ends of a data block, in memory of their own.
	First, Last key.Key
}

// Layout goes through the sections of the file from its start to its end; together they are all of its bytes. It
// reads each data block from the file. A section that is damaged comes with an error and without what could not
// be read of it, and the walk goes on.
func (r *Reader) Layout() iter.Seq2[Section, error] {
	return func(yield func(Section, error) bool) {
		for i := range r.index.blocks() {
			if !yield(r.dataSection(i)) {
				return
			}
		}
		if filter := section(SectionFilter, r.footer.filterHandle(), 0); filter.Length > 0 {
			if _, err := r.wholeFilter(); !yield(filter, err) {
				return
			}
		}
		index := section(SectionIndex, r.footer.indexHandle(), trailerSize)
		index.Entries, index.Content = r.index.blocks(), r.index.content
		if !yield(index, nil) {
			return
		}
		if !yield(section(SectionProperties, r.footer.propsHandle(), trailerSize), nil) {
			return
		}
		yield(section(SectionFooter, handle{r.footer.propsHandle().end(), footerSize}, 0), nil)
	}
}

// section describes a raw piece of the file with a trailer of the given size.
func section(kind SectionKind, h handle, trailer int64) Section {
	return Section{Kind: kind, Offset: h.offset, Length: h.length, Content: h.length - trailer}
}

func (r *Reader) dataSection(i int) (Section, error) {
	h := r.index.block(i)
	s := Section{Kind: SectionData, Offset: h.offset, Length: h.length}
	b, err := r.block(i, &Access{Mode: SkipCache})
	if err != nil {
		return s, err
	}
	s.Content = int64(len(b.entries)+len(b.restarts)) + 4
	var it blockIter
	it.reset(b)
	for ok := it.first(); ok; ok = it.next() {
		if s.Entries == 0 {
			s.First = it.key().Clone()
		}
		s.Last = it.key()
		s.Entries++
	}
	s.Last = s.Last.Clone()
	if it.bad {
		return s, r.badEntry(i, it.at)
	}
	return s, nil
}

// PlacedEntry is an entry with its place in the file. Its bytes live until the next step of the walk.
type PlacedEntry struct {
	// Block is the file offset of the entry's data block, At the entry's position in the uncompressed block.
	Block int64
	At    int
	Key   key.Key
	Value []byte
}

// Entries goes through all entries, in order, reading from the file. A damaged block gives an error with its
// offset, and the walk goes on behind it.
func (r *Reader) Entries() iter.Seq2[PlacedEntry, error] {
	return func(yield func(PlacedEntry, error) bool) {
		var it blockIter
		for i := range r.index.blocks() {
			offset := r.index.block(i).offset
			b, err := r.block(i, &Access{Mode: SkipCache})
			if err != nil {
				if !yield(PlacedEntry{Block: offset}, err) {
					return
				}
				continue
			}
			it.reset(b)
			for ok := it.first(); ok; ok = it.next() {
				if !yield(PlacedEntry{offset, it.at, it.key(), it.value}, nil) {
					return
				}
			}
			if it.bad && !yield(PlacedEntry{Block: offset, At: it.at}, r.badEntry(i, it.at)) {
				return
			}
		}
	}
}
