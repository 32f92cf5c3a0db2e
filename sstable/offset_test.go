package sstable

import (
	"io"
	"testing"

	"siftdb/internal/fsys"
	"siftdb/internal/key"
)

// sparse is a file that holds bytes from an offset on and nothing before it.
type sparse struct {
	fsys.File
	from int64
	b    []byte
}

func (s sparse) ReadAt(p []byte, offset int64) (int, error) {
	if offset < s.from || offset > s.from+int64(len(s.b)) {
		return 0, io.EOF
	}
	n := copy(p, s.b[offset-s.from:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// A block beyond 4 GiB is found and read, whatever the size of an int (LIM-04).
func TestOffsetsBeyond32Bits(t *testing.T) {
	entries := numbered(20, 10)
	w := indexWriter{}
	var offset int64
	for i, length := range []int64{1 << 30, 1 << 30, 1 << 30, 1<<30 + 10} {
		w.addBlock(length)
		offset += length
		if err := w.addSeparator([]byte{'a', byte(i)}, []byte{'a', byte(i + 1)}); err != nil {
			t.Fatal(err)
		}
	}
	var block blockWriter
	p := Properties{DataBlocks: 5}
	for _, e := range entries {
		block.add(e.Key, 0, e.Value)
		p.count(e.Key, e.Value, false)
	}
	p.Largest = entries[len(entries)-1].Key
	raw := sealer{compression: NoCompression}
	b := raw.seal(block.finish(), offset)
	w.addBlock(int64(len(b)))

	foot := footer{data: offset + int64(len(b))}
	index, props := w.append(nil), p.append(nil)
	foot.index, foot.props = int64(len(index)+trailerSize), int64(len(props)+trailerSize)
	b = append(b, raw.seal(index, foot.indexHandle().offset)...)
	b = append(b, raw.seal(props, foot.propsHandle().offset)...)
	b = foot.append(b)

	for _, tail := range []int64{0, foot.tailSize()} {
		r := open(t, sparse{from: offset, b: b}, foot.fileSize(), tail)
		var a Access
		for _, e := range entries {
			checkGet(t, r, &a, entries, e.Key.User, key.MaxSeq)
		}
		it := r.NewIter(&a)
		if !it.SeekGE(entries[3].Key) || !it.Last() || key.Compare(it.Key(), p.Largest) != 0 {
			t.Errorf("at %s, %v", it.Key(), it.Err())
		}
	}
}
