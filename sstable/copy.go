package sstable

import (
	"bytes"
	"context"
	"errors"
)

// errNotEmpty is what CopyBlocks returns for a Writer that has entries.
var errNotEmpty = errors.New("siftdb: blocks are copied into an empty table only")

// CopyBlocks takes all data blocks of another table as they are, checked but neither packed nor ordered anew, and
// feeds their keys to the filter: the table becomes the other one with a filter of its own. The Writer must be new;
// only Finish may follow. Codec and block size are the other table's. A context that ends gives its error.
func (w *Writer) CopyBlocks(ctx context.Context, from *Reader) error {
	if w.err == nil && w.props.Entries > 0 {
		w.err = errNotEmpty
	}
	if w.err == nil {
		w.err = w.copyBlocks(ctx, from)
	}
	return w.err
}

func (w *Writer) copyBlocks(ctx context.Context, from *Reader) error {
	index, err := from.indexContent()
	if err != nil {
		return err
	}
	var it blockIter
	for i := range from.index.blocks() {
		if err := ctx.Err(); err != nil {
			return err
		}
		h := from.index.block(i)
		stored := make([]byte, h.length)
		body, kind, err := from.stored(stored, &from.source, h)
		if err != nil {
			return err
		}
		content, err := from.content(nil, body, kind, h)
		if err != nil {
			return err
		}
		b, err := from.open(content, h)
		if err != nil {
			return err
		}
		it.reset(b)
		if !w.addKeys(&it, i == 0) {
			return from.badEntry(i, it.at)
		}
		if err := w.write(stored); err != nil {
			return err
		}
	}
	w.takeOver(from, index)
	return nil
}

// addKeys feeds the distinct user keys of a block, the first of the table or a later one, to the filter. It reports
// false for a block that does not hold together.
func (w *Writer) addKeys(it *blockIter, first bool) bool {
	for ok := it.first(); ok; ok = it.next() {
		user := it.key().User
		if !first && bytes.Equal(user, w.last.User) {
			continue
		}
		first = false
		w.last.User = append(w.last.User[:0], user...)
		if w.filter != nil {
			w.filter.add(user)
		}
	}
	return !it.bad
}

// takeOver makes the index and the properties of the other table those of this one, but for the filter's.
func (w *Writer) takeOver(from *Reader, index []byte) {
	p := *from.props
	p.FilterFamily, p.FilterBits, p.FilterRate, p.FilterPlanes, p.filterSum = "", 0, 0, 0, 0
	w.props, w.last = p, p.Largest.Clone()
	w.options.Compression, w.options.BlockSize = p.Compression, int(p.BlockSize)
	w.sealer.compression = p.Compression
	w.copied = index
}

// indexContent reads the index block once more, uncompressed.
func (r *Reader) indexContent() ([]byte, error) {
	h := r.footer.indexHandle()
	stored := make([]byte, h.length)
	if err := r.source.read(stored, h.offset); err != nil {
		return nil, err
	}
	content, err := unseal(stored, h.offset)
	if err != nil {
		return nil, r.source.corrupt(h.offset, "index: %v", err)
	}
	return content, nil
}
