package sstable

import (
	"slices"

	"siftdb/internal/cache"
)

// FillCache offers the cache, as far as it has room, the data blocks that lie whole in piece, which is the table's file
// from offset on. The bytes stay the caller's. A block whose checksum is wrong is left to whoever asks for it. The
// result is where to go on in the file: where the first block begins that piece has not to its end, or at the end of
// piece where that would be no progress.
func (r *Reader) FillCache(piece []byte, offset int64) (next int64) {
	end := offset + int64(len(piece))
	first, _ := slices.BinarySearch(r.index.offsets, offset)
	for i := first; i < r.index.blocks(); i++ {
		h := r.index.block(i)
		if h.end() > end {
			if h.offset > offset {
				return min(h.offset, end)
			}
			break
		}
		body, kind, err := checked(piece[h.offset-offset:h.end()-offset], h.offset)
		if err == nil && !r.cache.Fill(r.cacheID(h), cache.Block{Bytes: body, Form: formOf(kind)}) {
			break
		}
	}
	return end
}
