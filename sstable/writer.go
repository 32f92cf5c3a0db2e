package sstable

import (
	"errors"
	"fmt"

	"siftdb/bloom"
	"siftdb/internal/corrupt"
	"siftdb/internal/fsys"
	"siftdb/internal/key"
	"siftdb/internal/offheap"
)

// writeChunk is how many bytes are gathered for one write to the file.
const writeChunk = 256 << 10

// WriterOptions says how a table is built. The zero value gives one of 4 KiB blocks under snappy, without a
// filter.
type WriterOptions struct {
	// BlockSize is how many bytes a data block may have uncompressed, its trailer included; a block of a single
	// entry may be larger. 0 stands for DefaultBlockSize.
	BlockSize int
	// Compression is how data and index blocks are stored.
	Compression Compression
	// Filter gets the hash of each distinct user key and is spent by Finish. Nil: no filter.
	Filter bloom.Builder
	// FilterName and AskedBits are what the policy asked for, to stand in the properties.
	FilterName string
	AskedBits  float64
	// Replaces and Part stand in the properties as they are. Replaces belongs to the Writer.
	Replaces []uint64
	Part     uint64
}

// Writer builds a table file. One goroutine at a time. After an error every later call returns it, and the file
// is worth nothing.
type Writer struct {
	file    fsys.File
	name    string
	options WriterOptions

	block  blockWriter
	sealer sealer
	index  indexWriter
	copied []byte // instead of index: that of the table whose blocks were copied
	filter *filterWriter
	built  bloom.TableFilter // by Finish
	props  Properties

	last    key.Key // of the entry before; its bytes are ours
	pending []byte  // bytes of the file not yet written, in buffer
	buffer  offheap.Array[byte]
	written int64 // bytes of the file written
	err     error
}

// NewWriter begins a table in an empty file, which the caller goes on owning. The name is for errors.
func NewWriter(f fsys.File, name string, o WriterOptions) *Writer {
	if o.BlockSize <= 0 {
		o.BlockSize = DefaultBlockSize
	}
	o.BlockSize = min(o.BlockSize, MaxEntry)
	w := &Writer{file: f, name: name, options: o, sealer: sealer{compression: o.Compression}}
	if o.Filter != nil {
		w.filter = &filterWriter{builder: o.Filter}
	}
	return w
}

// errFinished is what a Writer returns after Finish.
var errFinished = errors.New("siftdb: the table is finished")

// Add appends an entry, and copies what it is given. Keys must ascend by key.Compare, none twice. An entry of
// more than MaxEntry bytes is ErrTooLarge.
func (w *Writer) Add(k key.Key, value []byte) error {
	if w.err != nil {
		return w.err
	}
	w.err = w.add(k, value)
	return w.err
}

func (w *Writer) add(k key.Key, value []byte) error {
	if n := int64(len(k.User)) + int64(len(value)); n > MaxEntry {
		return tooLarge("entry", n, MaxEntry)
	}
	if !k.Kind().Valid() {
		return fmt.Errorf("siftdb: key %s is of an unknown kind", k)
	}
	shared := commonPrefix(w.last.User, k.User)
	again := w.props.Entries > 0 && shared == len(k.User) && shared == len(w.last.User)
	if w.props.Entries > 0 && !w.ascends(k, shared, again) {
		return fmt.Errorf("siftdb: key %s was added after %s", k, w.last)
	}
	if w.block.entries > 0 && w.block.sizeWith(k, shared, value)+trailerSize > w.options.BlockSize {
		if err := w.endBlock(); err != nil {
			return err
		}
		if err := w.index.addSeparator(w.last.User, k.User); err != nil {
			return err
		}
	}
	w.block.add(k, shared, value)
	if !again && w.filter != nil {
		w.filter.add(k.User)
	}
	w.props.count(k, value, again)
	w.last.User = append(w.last.User[:shared], k.User[shared:]...)
	w.last.Trailer = k.Trailer
	return nil
}

// ascends reports whether k, which has shared bytes in common with the key before, is after it.
func (w *Writer) ascends(k key.Key, shared int, again bool) bool {
	if again {
		return k.Trailer < w.last.Trailer
	}
	return shared < len(k.User) && (shared == len(w.last.User) || w.last.User[shared] < k.User[shared])
}

// Size is the size of the file if it were finished now, about, and rather more than less: what is written, the
// current block uncompressed, the index without the savings that only the last key decides, and the filter as
// asked for. Tables ended by it are of bounded size, on disk and in memory, also when keys are huge.
func (w *Writer) Size() int64 {
	size := w.offset() + w.index.size() + footerSize
	size += int64(len(w.props.Smallest.User)+len(w.last.User)) + 128 // the properties
	if w.block.entries > 0 {
		size += int64(w.block.size()) + trailerSize
	}
	if w.filter != nil {
		size += int64(w.options.AskedBits * float64(w.props.Keys) / 8)
	}
	return size
}

// Finish writes everything that follows the data blocks. It neither syncs nor closes the file. The filter has by
// then been asked for every key; if it denies one the error is a *corrupt.Error.
func (w *Writer) Finish() (Properties, error) {
	defer w.release()
	if w.err != nil {
		return Properties{}, w.err
	}
	if w.err = w.finish(); w.err != nil {
		return Properties{}, w.err
	}
	w.err = errFinished
	return w.props, nil
}

// errAbandoned is what a Writer returns after Abandon.
var errAbandoned = errors.New("siftdb: the table was given up")

// Abandon gives up a table that will not be finished. Without it the Writer's memory waits for the collector, which
// does not see how much there is outside the heap.
func (w *Writer) Abandon() {
	if w.err == nil {
		w.err = errAbandoned
	}
	w.release()
}

// release gives back the memory outside the heap.
func (w *Writer) release() {
	w.buffer.Release()
	w.pending = nil
	if w.filter != nil {
		w.filter.hashes.release()
	}
}

func (w *Writer) finish() error {
	if w.block.entries > 0 {
		if err := w.endBlock(); err != nil {
			return err
		}
	}
	p := &w.props
	if p.Entries > 0 {
		p.Largest = w.last.Clone()
	}
	p.Compression, p.BlockSize = w.options.Compression, uint64(w.options.BlockSize)
	p.Replaces, p.Part = w.options.Replaces, w.options.Part
	foot := footer{data: w.offset()}
	if err := w.writeFilter(); err != nil {
		return err
	}
	foot.filter = w.offset() - foot.filterHandle().offset
	if err := w.write(w.sealer.seal(w.indexContent(), w.offset())); err != nil {
		return err
	}
	foot.index = w.offset() - foot.indexHandle().offset
	raw := sealer{compression: NoCompression}
	if err := w.write(raw.seal(p.append(nil), w.offset())); err != nil {
		return err
	}
	foot.props = w.offset() - foot.propsHandle().offset
	p.setSizes(foot)
	if err := w.write(foot.append(nil)); err != nil {
		return err
	}
	return w.flush()
}

// indexContent is the index block before it is sealed.
func (w *Writer) indexContent() []byte {
	if w.copied != nil {
		return w.copied
	}
	return w.index.append(nil)
}

func (w *Writer) writeFilter() error {
	p := &w.props
	p.Filter, p.AskedBits = w.options.FilterName, w.options.AskedBits
	if w.filter == nil {
		return nil
	}
	b, filter, err := w.filter.finish()
	if errors.Is(err, errFilterDenies) {
		return corrupt.New(w.name, w.offset(), "%v", err)
	}
	if err != nil {
		return err
	}
	p.FilterFamily, p.FilterBits, p.filterSum = filter.Family().String(), filter.Bits(), filterSum(b)
	p.FilterRate = filter.ExpectedRate()
	p.FilterPlanes = 1
	if e, ok := filter.(*bloom.Elastic); ok {
		p.FilterPlanes = e.Planes()
	}
	w.built = filter
	return w.write(b)
}

// Filter is the filter that Finish has built, whole, as it would be read back; nil when the table has none. It
// belongs to the caller.
func (w *Writer) Filter() bloom.TableFilter { return w.built }

// offset is the size of the file so far.
func (w *Writer) offset() int64 { return w.written + int64(len(w.pending)) }

// endBlock stores the current data block.
func (w *Writer) endBlock() error {
	stored := w.sealer.seal(w.block.finish(), w.offset())
	w.index.addBlock(int64(len(stored)))
	w.props.DataBlocks++
	err := w.write(stored)
	w.block.reset()
	return err
}

// write appends b to the file, gathering small pieces.
func (w *Writer) write(b []byte) error {
	if len(w.pending)+len(b) > writeChunk {
		if err := w.flush(); err != nil {
			return err
		}
	}
	if len(b) >= writeChunk {
		return w.writeOut(b)
	}
	if w.pending == nil {
		w.pending = w.buffer.Room(writeChunk)[:0]
	}
	w.pending = append(w.pending, b...)
	return nil
}

func (w *Writer) flush() error {
	if len(w.pending) == 0 {
		return nil
	}
	err := w.writeOut(w.pending)
	w.pending = w.pending[:0]
	return err
}

func (w *Writer) writeOut(b []byte) error {
	if _, err := w.file.WriteAt(b, w.written); err != nil {
		return fmt.Errorf("siftdb: writing %d bytes of %s at offset %d: %w", len(b), w.name, w.written, err)
	}
	w.written += int64(len(b))
	return nil
}
