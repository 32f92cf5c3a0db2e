package sstable

import (
	"errors"
	"fmt"
	"hash/crc32"
	"iter"
	"math"
	"sync"

	"siftdb/bloom"
	"siftdb/internal/corrupt"
)

// hashChunk is the hashes that are stored in one piece: 64 KiB.
type hashChunk [4096]bloom.Hash

// hashChunks are chunks that no table needs now.
var hashChunks = sync.Pool{New: func() any { return new(hashChunk) }}

// filterWriter keeps the hashes of a table's user keys, to feed them to a builder and then to ask the finished filter
// for each. The builder gets them when all are there: it has its own copy, and there are two only as long as it works.
type filterWriter struct {
	builder bloom.Builder
	chunks  []*hashChunk
	n       int // hashes
}

func (w *filterWriter) add(user []byte) {
	at := w.n % len(hashChunk{})
	if at == 0 {
		w.chunks = append(w.chunks, hashChunks.Get().(*hashChunk))
	}
	w.chunks[len(w.chunks)-1][at] = bloom.Sum(user)
	w.n++
}

// hashes are all that were added.
func (w *filterWriter) hashes() iter.Seq[bloom.Hash] {
	return func(yield func(bloom.Hash) bool) {
		left := w.n
		for _, chunk := range w.chunks {
			n := min(left, len(chunk))
			for _, h := range chunk[:n] {
				if !yield(h) {
					return
				}
			}
			left -= n
		}
	}
}

// release gives the memory to the next tables.
func (w *filterWriter) release() {
	for _, chunk := range w.chunks {
		hashChunks.Put(chunk)
	}
	w.chunks, w.n = nil, 0
}

// finish returns the filter's bytes and the filter they are parsed to, after that one has answered maybe for
// every key. A bit that memory lost while the filter was built would be under the checksum like a good one; only
// this notices it. It costs about a thirtieth of building the table (BenchmarkFilterCheck, BenchmarkBuild).
func (w *filterWriter) finish() ([]byte, bloom.TableFilter, error) {
	defer w.release()
	for h := range w.hashes() {
		w.builder.Add(h)
	}
	b, err := w.builder.Append(nil)
	if err != nil {
		return nil, nil, fmt.Errorf("siftdb: building a filter: %w", err)
	}
	filter, err := bloom.Parse(b)
	if err != nil {
		return nil, nil, fmt.Errorf("siftdb: reading back the filter just built: %w", err)
	}
	if !w.knownTo(filter) {
		return nil, nil, errFilterDenies
	}
	return b, filter, nil
}

// knownTo reports whether filter answers maybe for every key that was added.
func (w *filterWriter) knownTo(filter bloom.TableFilter) bool {
	for h := range w.hashes() {
		if !filter.MayContain(h) {
			return false
		}
	}
	return true
}

// errFilterDenies says that memory or the code that built a filter has failed.
var errFilterDenies = errors.New("the filter denies a key that is in the table")

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
	if h.length > math.MaxInt {
		return nil, r.source.corrupt(h.offset, "a filter of %d bytes does not fit into memory", h.length)
	}
	b := make([]byte, h.length)
	return b, r.source.read(b, h.offset)
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
		return r.source.corrupt(offset, "a good filter, but of another table: its head gives %08x, expected %08x", sum, r.props.filterSum)
	}
	return nil
}
