package sstable

import (
	"errors"
	"fmt"
	"hash/crc32"
	"math"

	"siftdb/bloom"
	"siftdb/internal/corrupt"
)

// filterHead is how many bytes of a filter block filterSum covers: bloom's header, which has the payload's checksum
// in it, up to its own checksum. (The CRC of bytes and their CRC together is the same number for all bytes.)
const filterHead = 60

// filterSum ties a filter to its table: it stands in the properties.
func filterSum(b []byte) uint32 { return crc32.Checksum(b[:min(len(b), filterHead)], castagnoli) }

// LoadFilter reads the table's filter whole, with one read of the file, and checks it. It is nil, without an error,
// for a table built without one. A *corrupt.Error says that the filter's bytes are damaged, an error that wraps
// bloom.ErrUnknown that this version does not know its family or format; the table can be read without it. The
// filter belongs to the caller.
//
// A filter in planes comes with those that are whole; only if none of it can be used there is an error.
func (r *Reader) LoadFilter() (bloom.TableFilter, error) {
	b, err := r.filterBytes()
	if b == nil || err != nil {
		return nil, err
	}
	return r.parseFilter(b)
}

// wholeFilter is LoadFilter, with an error for planes that are damaged too.
func (r *Reader) wholeFilter() (bloom.TableFilter, error) {
	b, err := r.filterBytes()
	if b == nil || err != nil {
		return nil, err
	}
	filter, err := r.parseFilter(b)
	if err != nil {
		return nil, err
	}
	for _, i := range bloom.DamagedPlanes(b) {
		at, _ := filter.(*bloom.Elastic).PlaneRange(i)
		err = errors.Join(err, r.source.corrupt(r.footer.filterHandle().offset+at, "filter: plane %d is damaged", i))
	}
	return filter, err
}

// filterBytes reads the filter block; nil for a table built without one.
func (r *Reader) filterBytes() ([]byte, error) {
	h := r.footer.filterHandle()
	if r.props.FilterFamily == "" && h.length == 0 {
		return nil, nil
	}
	return r.filterPiece(0, h.length)
}

// filterPiece reads n bytes of the filter block, from at on.
func (r *Reader) filterPiece(at, n int64) ([]byte, error) {
	h := r.footer.filterHandle()
	if n > math.MaxInt {
		return nil, r.source.corrupt(h.offset, "%d bytes of a filter do not fit into memory", n)
	}
	b := make([]byte, n)
	return b, r.source.read(b, h.offset+at)
}

// InFilter says whether err tells of damage to the filter, without which the table can be read.
func (r *Reader) InFilter(err error) bool {
	damage, ok := errors.AsType[*corrupt.Error](err)
	h := r.footer.filterHandle()
	return ok && damage.Offset >= h.offset && damage.Offset < h.end()
}

// parseFilter parses the bytes of the filter block.
func (r *Reader) parseFilter(b []byte) (bloom.TableFilter, error) {
	filter, err := bloom.Parse(b)
	if err != nil {
		return nil, r.filterError(err)
	}
	if err := r.checkFilter(filter, b); err != nil {
		return nil, err
	}
	return filter, nil
}

// filterError says where in the file a filter's bytes are wrong.
func (r *Reader) filterError(err error) error {
	offset := r.footer.filterHandle().offset
	if errors.Is(err, bloom.ErrUnknown) {
		return fmt.Errorf("siftdb: filter of %s at offset %d: %w", r.source.name, offset, err)
	}
	if bad, ok := errors.AsType[*bloom.FormatError](err); ok {
		return r.source.corrupt(offset+bad.Offset, "filter: %s", bad.Reason)
	}
	return r.source.corrupt(offset, "filter: %v", err)
}

// checkFilter holds a filter, whose bytes begin with head, against the table.
func (r *Reader) checkFilter(filter bloom.TableFilter, head []byte) error {
	offset := r.footer.filterHandle().offset
	if filter.Keys() != r.props.Keys {
		return r.source.corrupt(offset, "the filter is of %d keys, the table has %d", filter.Keys(), r.props.Keys)
	}
	if sum := filterSum(head); sum != r.props.filterSum {
		return r.source.corrupt(offset, "a good filter, but of another table: its head gives %08x, expected %08x",
			sum, r.props.filterSum)
	}
	return nil
}
