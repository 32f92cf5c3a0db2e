package sstable

import "encoding/binary"

// indexWriter collects the index of a table being built. The zero value is ready.
type indexWriter struct {
	lengths []int64
	ends    []uint32
	packed  []byte // whole separators
	prefix  int    // bytes that all separators share
}

// addBlock notes a stored block of the given length, trailer included.
func (w *indexWriter) addBlock(length int64) { w.lengths = append(w.lengths, length) }

// addSeparator notes what stands between the last block and the next, where last and next are the user keys on
// both sides.
func (w *indexWriter) addSeparator(last, next []byte) error {
	w.packed = appendSeparator(w.packed, last, next)
	if len(w.packed) > maxIndex {
		return tooLarge("index", int64(len(w.packed)), maxIndex)
	}
	w.ends = append(w.ends, uint32(len(w.packed)))
	// They ascend, so what the first and the last share all share.
	w.prefix = commonPrefix(w.separator(0), w.separator(len(w.ends)-1))
	return nil
}

// size bounds the size of the index, about: with separators whole, because the next one may be the first that does
// not begin as all before it do.
func (w *indexWriter) size() int64 { return int64(len(w.packed)) + 3*int64(len(w.lengths)) }

func (w *indexWriter) separator(i int) []byte {
	start := uint32(0)
	if i > 0 {
		start = w.ends[i-1]
	}
	return w.packed[start:w.ends[i]]
}

// append appends the content of the index block.
func (w *indexWriter) append(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(w.lengths)))
	dst = binary.AppendUvarint(dst, uint64(w.prefix))
	dst = append(dst, w.packed[:w.prefix]...)
	for i, length := range w.lengths {
		dst = binary.AppendUvarint(dst, uint64(length))
		if i < len(w.ends) {
			suffix := w.separator(i)[w.prefix:]
			dst = binary.AppendUvarint(dst, uint64(len(suffix)))
			dst = append(dst, suffix...)
		}
	}
	return dst
}
