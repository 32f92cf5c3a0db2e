package sstable

import (
	"encoding/binary"
	"fmt"
	"math"
)

const (
	// footerSize is the length of the footer in bytes.
	footerSize = 48
	// formatOffset is where in it the format number stands.
	formatOffset = 32
)

// footer gives the lengths of the pieces of a file. They follow one another without gaps from offset 0, so the
// lengths are the layout: data blocks, filter, index, properties, footer.
type footer struct{ data, filter, index, props int64 }

func (f footer) filterHandle() handle { return handle{f.data, f.filter} }
func (f footer) indexHandle() handle  { return handle{f.filterHandle().end(), f.index} }
func (f footer) propsHandle() handle  { return handle{f.indexHandle().end(), f.props} }

// fileSize is the size of the whole file.
func (f footer) fileSize() int64 { return f.propsHandle().end() + footerSize }

// tailSize is the size of what opening reads: everything after the data blocks and the filter.
func (f footer) tailSize() int64 { return f.fileSize() - f.indexHandle().offset }

func (f footer) append(dst []byte) []byte {
	at := len(dst)
	for _, n := range []int64{f.data, f.filter, f.index, f.props} {
		dst = binary.LittleEndian.AppendUint64(dst, uint64(n))
	}
	dst = binary.LittleEndian.AppendUint32(dst, formatNumber)
	dst = binary.LittleEndian.AppendUint32(dst, checksum(dst[at:], f.fileSize()-footerSize))
	return binary.LittleEndian.AppendUint64(dst, magic)
}

// decodeFooter reads the last footerSize bytes of a file of the given size. On an error, at is the byte of b
// that is wrong.
func decodeFooter(b []byte, size int64) (f footer, at int, err error) {
	if got := binary.LittleEndian.Uint64(b[40:]); got != magic {
		return f, 40, fmt.Errorf("not a table, or cut short: the magic number is %016x, expected %016x", got, magic)
	}
	want, got := binary.LittleEndian.Uint32(b[36:]), checksum(b[:36], size-footerSize)
	if got != want {
		return f, 36, fmt.Errorf("footer checksum is %08x, its bytes at this place give %08x", want, got)
	}
	if n := binary.LittleEndian.Uint32(b[formatOffset:]); n != formatNumber {
		return f, formatOffset, fmt.Errorf("format number %d, this version reads %d", n, formatNumber)
	}
	left := uint64(size - footerSize)
	for i, piece := range []*int64{&f.data, &f.filter, &f.index, &f.props} {
		n := binary.LittleEndian.Uint64(b[8*i:])
		if n > left {
			return f, 8 * i, fmt.Errorf("a length of %d is more than the %d bytes left of the file's %d", n, left, size)
		}
		left -= n
		*piece = int64(n)
	}
	if left != 0 {
		return f, 0, fmt.Errorf("the lengths leave %d bytes of the file's %d over", left, size)
	}
	if f.tailSize() > math.MaxInt {
		return f, 0, fmt.Errorf("a tail of %d bytes does not fit into memory", f.tailSize())
	}
	return f, 0, nil
}
