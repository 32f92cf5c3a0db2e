package sstable

import (
	"fmt"
	"io"
	"math"

	"siftdb/internal/cache"
)

// ReaderOptions says how a table is opened. The zero value works.
type ReaderOptions struct {
	// Name is the file's path, for errors.
	Name string
	// ID is the file's number, under which its blocks stand in the cache.
	ID uint64
	// Cache keeps data blocks; nil: none are kept.
	Cache *cache.Cache
	// ReadAround notes what is read around blocks that reads with UseCache ask for; nil: they are read alone.
	ReadAround *ReadAround
	// TailSize is Properties.TailSize if the caller knows it; then opening is one read. 0: not known, two reads.
	TailSize int64
}

// Reader reads a finished table. It does not change, and any number of goroutines may use it. Index and
// properties are in memory; data blocks are read as they are needed, and so is the filter, which LoadFilter gives
// to whoever keeps filters.
type Reader struct {
	source source
	around *source // of data blocks with their surroundings; nil: they are read alone
	id     uint64
	cache  *cache.Cache
	footer footer
	index  *index
	props  *Properties
}

// Open reads the tail of a table in a file of the given size. The file stays the caller's, who closes it after
// the last use of the Reader. A footer, index or properties block that is damaged is a *corrupt.Error. The filter
// is not read.
func Open(f io.ReaderAt, size int64, o ReaderOptions) (*Reader, error) {
	r := &Reader{source: source{f, o.Name}, id: o.ID, cache: o.Cache}
	tail, err := r.readTail(size, o.TailSize)
	if err != nil {
		return nil, err
	}
	if o.ReadAround != nil {
		r.around = &source{&aroundFile{f, r.footer.data, o.ReadAround}, o.Name}
	}
	// piece is the part of the tail that a handle names.
	piece := func(h handle) []byte {
		at := h.offset - r.footer.indexHandle().offset
		return tail[at : at+h.length : at+h.length]
	}
	if err := r.parseProperties(piece(r.footer.propsHandle())); err != nil {
		return nil, err
	}
	if err := r.parseIndex(piece(r.footer.indexHandle())); err != nil {
		return nil, err
	}
	return r, nil
}

// readTail reads the footer and returns all after the filter.
func (r *Reader) readTail(size, known int64) ([]byte, error) {
	if size < footerSize {
		return nil, r.source.corrupt(0, "a file of %d bytes is no table, the footer alone has %d", size, footerSize)
	}
	first := int64(footerSize)
	if known != 0 {
		first = known
	}
	if first < footerSize || first > size || first > math.MaxInt {
		return nil, r.source.corrupt(0, "a file of %d bytes has no tail of %d", size, first)
	}
	tail := make([]byte, first)
	if err := r.source.read(tail, size-first); err != nil {
		return nil, err
	}
	foot, at, err := decodeFooter(tail[first-footerSize:], size)
	if err != nil {
		return nil, r.source.corrupt(size-footerSize+int64(at), "footer: %v", err)
	}
	r.footer = foot
	if first == foot.tailSize() {
		return tail, nil
	}
	if known != 0 {
		return nil, r.source.corrupt(size-footerSize, "the footer gives a tail of %d bytes, expected %d",
			foot.tailSize(), known)
	}
	whole := make([]byte, foot.tailSize())
	n := copy(whole[foot.tailSize()-first:], tail)
	return whole, r.source.read(whole[:len(whole)-n], foot.indexHandle().offset)
}

func (r *Reader) parseProperties(stored []byte) error {
	offset := r.footer.propsHandle().offset
	content, err := unseal(stored, offset)
	if err != nil {
		return r.source.corrupt(offset, "properties: %v", err)
	}
	p, at, err := parseProperties(content)
	if err != nil {
		return r.source.corrupt(offset+int64(at), "properties: %v", err)
	}
	p.setSizes(r.footer)
	r.props = p
	return nil
}

func (r *Reader) parseIndex(stored []byte) error {
	offset := r.footer.indexHandle().offset
	content, err := unseal(stored, offset)
	if err != nil {
		return r.source.corrupt(offset, "index: %v", err)
	}
	x, err := parseIndex(content, r.footer.data)
	if err == nil && uint64(x.blocks()) != r.props.DataBlocks {
		err = fmt.Errorf("%d blocks, the properties say %d", x.blocks(), r.props.DataBlocks)
	}
	if err != nil {
		return r.source.corrupt(offset, "index: %v", err)
	}
	r.index = x
	return nil
}

// sourceFor is where a read of the mode has data blocks from.
func (r *Reader) sourceFor(mode Mode) *source {
	if mode == UseCache && r.around != nil {
		return r.around
	}
	return &r.source
}

// Properties says what is in the table. The value is shared and must not be changed.
func (r *Reader) Properties() *Properties { return r.props }

// MemoryBytes is about what the Reader holds in memory: index and properties, not the cache.
func (r *Reader) MemoryBytes() int64 {
	p := r.props
	texts := len(p.Smallest.User) + len(p.Largest.User) + len(p.Filter) + len(p.FilterFamily)
	return r.index.memoryBytes() + int64(texts) + 512
}
