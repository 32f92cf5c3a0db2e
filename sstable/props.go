package sstable

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"siftdb/internal/key"
)

// Properties says what is in a table. All of it but the sizes of the file and its parts, and the filter's rate, is
// stored in the table's properties block. A Reader's Properties are shared: nobody may change them.
type Properties struct {
	// Entries, Keys and Deletions count all entries, the distinct user keys among them, and the deletions.
	Entries, Keys, Deletions uint64
	// Smallest and Largest are the first and the last entry's keys; zero in a table without entries.
	Smallest, Largest key.Key
	// SmallestSeq and LargestSeq bound the sequence numbers; both 0 in a table without entries.
	SmallestSeq, LargestSeq key.Seq
	// RawKeyBytes and RawValueBytes add up the user keys and the values of all entries, uncompressed.
	RawKeyBytes, RawValueBytes uint64
	// DataBlocks is the number of data blocks. DataBytes, FilterBytes and IndexBytes are the sizes in the file
	// of the data blocks, the filter block and the index block.
	DataBlocks, DataBytes, FilterBytes, IndexBytes uint64
	// FileSize is the size of the file, TailSize that of all after the filter, which Open reads at once.
	FileSize, TailSize int64
	// Filter is the policy that was asked for, as its String; FilterFamily the family that was built, empty for
	// none.
	Filter, FilterFamily string
	// AskedBits is the bits per key that were asked for, FilterBits the bits of the filter's payload.
	AskedBits  float64
	FilterBits uint64
	// FilterRate is the rate of false positives that theory gives for the filter. It is not stored, as it follows
	// from the filter; 0 without a usable one.
	FilterRate float64
	// FilterPlanes is the number of planes that the filter is stored in, 1 for one that is not divided, 0 for none. It
	// is not stored either.
	FilterPlanes int
	// Compression and BlockSize are those of the writer; single blocks may be stored raw or be larger.
	Compression Compression
	BlockSize   uint64

	// Replaces are the numbers of the tables that a compaction made this one of, in one step with others that have the
	// same list; none for a table that was made of no others. Part is its place among those others, from 0 on. A repair
	// learns from them which tables a crash has left over.
	Replaces []uint64
	Part     uint64

	// filterSum is what filterSum gives for the filter block; 0 without one.
	filterSum uint32
}

// Tags of the fields in a properties block. They are never used again for anything else.
const (
	tagEntries       = 1
	tagKeys          = 2
	tagDeletions     = 3
	tagSmallest      = 4
	tagLargest       = 5
	tagSmallestSeq   = 6
	tagLargestSeq    = 7
	tagRawKeyBytes   = 8
	tagRawValueBytes = 9
	tagDataBlocks    = 10
	tagFilter        = 11
	tagFilterFamily  = 12
	tagAskedBits     = 13
	tagFilterBits    = 14
	tagFilterSum     = 15
	tagCompression   = 16
	tagBlockSize     = 17
	tagReplaces      = 18
	tagPart          = 19
)

// append appends the content of the properties block: for each field its tag, the length of its payload, and
// the payload. Numbers are uvarints, so a field is never longer than it needs to be.
func (p *Properties) append(dst []byte) []byte {
	number := func(tag byte, v uint64) {
		dst = append(dst, tag, byte(uvarintLen(v)))
		dst = binary.AppendUvarint(dst, v)
	}
	text := func(tag byte, b []byte) {
		dst = append(dst, tag)
		dst = append(binary.AppendUvarint(dst, uint64(len(b))), b...)
	}
	number(tagEntries, p.Entries)
	number(tagKeys, p.Keys)
	number(tagDeletions, p.Deletions)
	if p.Entries > 0 {
		text(tagSmallest, key.Append(nil, p.Smallest))
		text(tagLargest, key.Append(nil, p.Largest))
	}
	number(tagSmallestSeq, uint64(p.SmallestSeq))
	number(tagLargestSeq, uint64(p.LargestSeq))
	number(tagRawKeyBytes, p.RawKeyBytes)
	number(tagRawValueBytes, p.RawValueBytes)
	number(tagDataBlocks, p.DataBlocks)
	text(tagFilter, []byte(p.Filter))
	text(tagFilterFamily, []byte(p.FilterFamily))
	number(tagAskedBits, math.Float64bits(p.AskedBits))
	number(tagFilterBits, p.FilterBits)
	number(tagFilterSum, uint64(p.filterSum))
	number(tagCompression, uint64(p.Compression))
	number(tagBlockSize, p.BlockSize)
	if len(p.Replaces) > 0 {
		text(tagReplaces, appendNumbers(nil, p.Replaces))
		number(tagPart, p.Part)
	}
	return dst
}

// parseProperties reads the content of a properties block; it copies. A tag that this version does not know is
// passed over. On an error, at is the byte of content that is wrong.
func parseProperties(content []byte) (p *Properties, at int, err error) {
	p = &Properties{}
	for at < len(content) {
		tag := content[at]
		payload, next := lengthPrefixed(content, at+1)
		if next < 0 {
			return nil, at, fmt.Errorf("property %d passes the end of the block", tag)
		}
		if !p.set(tag, payload) {
			return nil, at, fmt.Errorf("property %d cannot have the value %x", tag, payload)
		}
		at = next
	}
	if err := p.check(); err != nil {
		return nil, 0, err
	}
	return p, 0, nil
}

// set takes over one field, and reports whether the payload can be its value.
func (p *Properties) set(tag byte, payload []byte) bool {
	switch tag {
	case tagSmallest, tagLargest:
		k, ok := key.Decode(payload)
		if tag == tagSmallest {
			p.Smallest = k.Clone()
		} else {
			p.Largest = k.Clone()
		}
		return ok
	case tagFilter:
		p.Filter = string(payload)
		return true
	case tagFilterFamily:
		p.FilterFamily = string(payload)
		return true
	case tagReplaces:
		var ok bool
		p.Replaces, ok = parseNumbers(payload)
		return ok
	}
	if tag == 0 || tag > tagPart {
		return true
	}
	v, next := uvarint(payload, 0)
	if next != len(payload) {
		return false
	}
	return p.setNumber(tag, v)
}

func (p *Properties) setNumber(tag byte, v uint64) bool {
	switch tag {
	case tagEntries:
		p.Entries = v
	case tagKeys:
		p.Keys = v
	case tagDeletions:
		p.Deletions = v
	case tagSmallestSeq:
		p.SmallestSeq = key.Seq(v)
	case tagLargestSeq:
		p.LargestSeq = key.Seq(v)
	case tagRawKeyBytes:
		p.RawKeyBytes = v
	case tagRawValueBytes:
		p.RawValueBytes = v
	case tagDataBlocks:
		p.DataBlocks = v
	case tagAskedBits:
		p.AskedBits = math.Float64frombits(v)
	case tagFilterBits:
		p.FilterBits = v
	case tagFilterSum:
		p.filterSum = uint32(v)
		return v <= math.MaxUint32
	case tagCompression:
		p.Compression = Compression(v)
		return v <= uint64(NoCompression)
	case tagBlockSize:
		p.BlockSize = v
	case tagPart:
		p.Part = v
	}
	return true
}

func appendNumbers(dst []byte, numbers []uint64) []byte {
	for _, n := range numbers {
		dst = binary.AppendUvarint(dst, n)
	}
	return dst
}

// parseNumbers reads what appendNumbers wrote.
func parseNumbers(b []byte) (numbers []uint64, ok bool) {
	for at := 0; at < len(b); {
		var n uint64
		if n, at = uvarint(b, at); at < 0 {
			return nil, false
		}
		numbers = append(numbers, n)
	}
	return numbers, true
}

// check looks for fields that contradict one another.
func (p *Properties) check() error {
	switch {
	case p.Keys > p.Entries || p.Deletions > p.Entries || (p.Keys == 0) != (p.Entries == 0):
		return fmt.Errorf("%d entries, %d keys, %d deletions cannot be", p.Entries, p.Keys, p.Deletions)
	case p.DataBlocks > p.Entries || (p.DataBlocks == 0) != (p.Entries == 0):
		return fmt.Errorf("%d entries in %d blocks cannot be", p.Entries, p.DataBlocks)
	case p.SmallestSeq > p.LargestSeq || p.LargestSeq > key.MaxSeq:
		return fmt.Errorf("sequence numbers from %d to %d cannot be", p.SmallestSeq, p.LargestSeq)
	case p.Entries > 0 && key.Compare(p.Smallest, p.Largest) > 0:
		return fmt.Errorf("the smallest key %s is after the largest %s", p.Smallest, p.Largest)
	case p.Entries > 0 && p.Keys > 1 && bytes.Equal(p.Smallest.User, p.Largest.User):
		return fmt.Errorf("%d keys from %s to %s cannot be", p.Keys, p.Smallest, p.Largest)
	case !(p.AskedBits >= 0) || math.IsInf(p.AskedBits, 0):
		return fmt.Errorf("%v bits per key cannot be", p.AskedBits)
	}
	return nil
}

// count takes in the next entry; again says that the one before has the same user key. Largest is not kept up.
func (p *Properties) count(k key.Key, value []byte, again bool) {
	if p.Entries == 0 {
		p.Smallest, p.SmallestSeq, p.LargestSeq = k.Clone(), k.Seq(), k.Seq()
	}
	p.Entries++
	if !again {
		p.Keys++
	}
	if k.Kind() == key.KindDelete {
		p.Deletions++
	}
	p.SmallestSeq, p.LargestSeq = min(p.SmallestSeq, k.Seq()), max(p.LargestSeq, k.Seq())
	p.RawKeyBytes += uint64(len(k.User))
	p.RawValueBytes += uint64(len(value))
}

// setSizes takes over from the footer what the properties block does not hold.
func (p *Properties) setSizes(f footer) {
	p.DataBytes, p.FilterBytes, p.IndexBytes = uint64(f.data), uint64(f.filter), uint64(f.index)
	p.FileSize, p.TailSize = f.fileSize(), f.tailSize()
}
