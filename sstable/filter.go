package sstable

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"iter"
	"math"

	"siftdb/bloom"
	"siftdb/internal/corrupt"
	"siftdb/internal/offheap"
)

// hashSize is the bytes of a hash while a table is built, hashChunk those of what is stored in one piece. Both halves
// are little-endian: outside the heap there are bytes alone.
const (
	hashSize  = 16
	hashChunk = 64 << 10
)

// hashChunks are chunks that no table needs now.
var hashChunks = offheap.NewPool(hashChunk)

// filterWriter keeps the hashes of a table's user keys, to lend them to a builder and then to ask the finished filter
// for each. They are outside the heap: those of a flush and of some compactions at once are as much as all else that a
// store under load has there for longer.
type filterWriter struct {
	builder bloom.Builder
	chunks  []*offheap.Buffer // full but for the last
	used    int               // bytes of the last
	decoded [256]bloom.Hash
}

func (w *filterWriter) add(user []byte) {
	if len(w.chunks) == 0 || w.used == hashChunk {
		w.chunks, w.used = append(w.chunks, hashChunks.Get()), 0
	}
	h, at := bloom.Sum(user), w.chunks[len(w.chunks)-1].Bytes[w.used:][:hashSize]
	binary.LittleEndian.PutUint64(at, h.H1)
	binary.LittleEndian.PutUint64(at[8:], h.H2)
	w.used += hashSize
}

// keys is the number of hashes.
func (w *filterWriter) keys() int {
	if len(w.chunks) == 0 {
		return 0
	}
	return ((len(w.chunks)-1)*hashChunk + w.used) / hashSize
}

// hashes are all that were added, some at a time: each step overwrites those of the one before.
func (w *filterWriter) hashes() iter.Seq[[]bloom.Hash] {
	return func(yield func([]bloom.Hash) bool) {
		left := w.keys()
		for _, chunk := range w.chunks {
			for at := 0; at < hashChunk && left > 0; {
				n := w.decode(chunk.Bytes[at:], left)
				if !yield(w.decoded[:n]) {
					return
				}
				at, left = at+n*hashSize, left-n
			}
		}
	}
}

// decode makes hashes of the first bytes of a chunk, and says how many: up to most.
func (w *filterWriter) decode(chunk []byte, most int) int {
	n := min(len(chunk)/hashSize, len(w.decoded), most)
	for i := range w.decoded[:n] {
		b := chunk[i*hashSize:][:hashSize]
		w.decoded[i] = bloom.Hash{H1: binary.LittleEndian.Uint64(b), H2: binary.LittleEndian.Uint64(b[8:])}
	}
	return n
}

// release gives the memory to the next tables.
func (w *filterWriter) release() {
	for _, chunk := range w.chunks {
		hashChunks.Put(chunk)
	}
	w.chunks, w.used = nil, 0
}

// finish returns the filter's bytes and the filter they are parsed to, after that one has answered maybe for
// every key. A bit that memory lost while the filter was built would be under the checksum like a good one; only
// this notices it. It costs about a thirtieth of building the table (BenchmarkFilterCheck, BenchmarkBuild).
func (w *filterWriter) finish() ([]byte, bloom.TableFilter, error) {
	w.handOver()
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

// handOver lends the hashes to the builder, or gives it its own if it cannot do without.
func (w *filterWriter) handOver() {
	if b, ok := w.builder.(bloom.Borrower); ok {
		b.Borrow(w.hashes(), w.keys())
		return
	}
	for some := range w.hashes() {
		for _, h := range some {
			w.builder.Add(h)
		}
	}
}

// knownTo reports whether filter answers maybe for every key that was added.
func (w *filterWriter) knownTo(filter bloom.TableFilter) bool {
	for some := range w.hashes() {
		for _, h := range some {
			if !filter.MayContain(h) {
				return false
			}
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
