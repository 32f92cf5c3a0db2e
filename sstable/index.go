package sstable

import (
	"bytes"
	"fmt"

	"siftdb/internal/key"
)

// maxIndex bounds the index of one table, as stored and in memory.
const maxIndex = 1 << 30

// index says in which block a user key is. Between each two blocks stands a separator: a user key, as short as
// possible, that is not less than any key of the blocks before it and, if versions of one key do not go on past
// the boundary, less than all after it; if they do, it is that key.
//
// The separators stand packed, without what all of them begin with, and with their next 8 bytes beside them as
// a number, so that most steps of a search compare two integers. It does not change once made.
type index struct {
	prefix  []byte
	heads   []uint64 // of each separator, the 8 bytes after the prefix
	ends    []uint32 // of each separator, where it ends in packed
	packed  []byte   // the separators without prefix
	offsets []int64  // of each block, and after the last the end of the data
	content int64    // size of the index block uncompressed
}

// blocks is the number of data blocks.
func (x *index) blocks() int { return len(x.offsets) - 1 }

// block is the handle of the i-th data block.
func (x *index) block(i int) handle { return handle{x.offsets[i], x.offsets[i+1] - x.offsets[i]} }

// suffix is the separator after the i-th block, without the prefix.
func (x *index) suffix(i int) []byte {
	start := uint32(0)
	if i > 0 {
		start = x.ends[i-1]
	}
	return x.packed[start:x.ends[i]]
}

// compareSeparator orders user against the separator after the i-th block; the last block has none, and no key
// is beyond it.
func (x *index) compareSeparator(user []byte, i int) int {
	if i >= len(x.heads) {
		return -1
	}
	n := min(len(user), len(x.prefix))
	if c := bytes.Compare(user[:n], x.prefix); c != 0 {
		return c
	}
	return bytes.Compare(user[n:], x.suffix(i))
}

// search returns the first block that may hold versions of user. It does not allocate.
func (x *index) search(user []byte) int {
	n := min(len(user), len(x.prefix))
	if c := bytes.Compare(user[:n], x.prefix); c < 0 {
		return 0
	} else if c > 0 {
		return len(x.heads)
	}
	rest := user[n:]
	h := key.Head(rest)
	low, high := 0, len(x.heads) // separators below low are less than user, those from high on are not
	for low < high {
		mid := int(uint(low+high) / 2)
		if m := x.heads[mid]; m < h || m == h && bytes.Compare(x.suffix(mid), rest) < 0 {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// parseIndex reads the content of an index block over data blocks that end at dataEnd. It copies. The error says
// what is wrong, without naming the place.
func parseIndex(content []byte, dataEnd int64) (*index, error) {
	count, at := uvarint(content, 0)
	prefix, at := lengthPrefixed(content, at)
	// A block takes at least two bytes, the last block one: the count is no reason to allocate far more than came in.
	if at < 0 || count > uint64(len(content)-at+1)/2 {
		return nil, fmt.Errorf("its head of %d blocks does not fit its %d bytes", count, len(content))
	}
	n := int(count)
	x := &index{prefix: bytes.Clone(prefix), offsets: make([]int64, 1, n+1), content: int64(len(content))}
	if n > 1 {
		x.heads, x.ends = make([]uint64, 0, n-1), make([]uint32, 0, n-1)
		x.packed = make([]byte, 0, len(content)-at+1-2*n)
	}
	offset := int64(0)
	for i := range n {
		var length uint64
		length, at = uvarint(content, at)
		if at < 0 || length <= trailerSize || length > maxContent+trailerSize || int64(length) > dataEnd-offset {
			return nil, fmt.Errorf("block %d of %d, of %d bytes at %d, does not fit the data's %d",
				i, n, length, offset, dataEnd)
		}
		offset += int64(length)
		x.offsets = append(x.offsets, offset)
		if i == n-1 {
			break
		}
		var suffix []byte
		if suffix, at = lengthPrefixed(content, at); at < 0 {
			return nil, fmt.Errorf("separator %d of %d passes its end", i, n-1)
		}
		head := key.Head(suffix) // mostly larger than the one before, and then the suffix is
		if i > 0 && head <= x.heads[i-1] && bytes.Compare(x.suffix(i-1), suffix) > 0 {
			return nil, fmt.Errorf("separator %d of %d is less than the one before", i, n-1)
		}
		x.packed = append(x.packed, suffix...)
		x.ends = append(x.ends, uint32(len(x.packed)))
		x.heads = append(x.heads, head)
	}
	if offset != dataEnd || at != len(content) {
		return nil, fmt.Errorf("its blocks end at %d and its bytes at %d, expected %d and %d",
			offset, at, dataEnd, len(content))
	}
	return x, nil
}

// memoryBytes is what the index takes in memory.
func (x *index) memoryBytes() int64 {
	return int64(cap(x.packed)+cap(x.prefix)) + 8*int64(cap(x.heads)+cap(x.offsets)) + 4*int64(cap(x.ends))
}
