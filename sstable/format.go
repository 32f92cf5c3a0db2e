package sstable

import (
	"errors"
	"fmt"
	"hash/crc32"
)

const (
	// magic ends every table file; read as bytes it is "siftable".
	magic = uint64(0x656c626174666973)
	// formatNumber is the version of the format; a reader refuses others.
	formatNumber = 1
	// restartInterval is the number of entries from one full key to the next within a block.
	restartInterval = 16
	// trailerSize is the kind and the checksum after each block.
	trailerSize = 5
)

const (
	// DefaultBlockSize is what WriterOptions.BlockSize 0 stands for, in bytes.
	DefaultBlockSize = 4 << 10
	// MaxEntry is how many bytes of user key and value together one entry may have: a value of 1 GiB under a
	// key of 64 KiB.
	MaxEntry = 1<<30 + 1<<16
	// maxContent bounds what a block holds uncompressed: one largest entry with its lengths and its restart
	// point. It keeps offsets inside a block, and lengths of buffers, below 2^31.
	maxContent = MaxEntry + 64
)

// ErrTooLarge is what errors.Is finds when an entry is larger than MaxEntry, or an index larger than a reader
// would take.
var ErrTooLarge = errors.New("siftdb: too large for a table")

func tooLarge(what string, size, limit int64) error {
	return fmt.Errorf("%w: %s of %d bytes, the limit is %d", ErrTooLarge, what, size, limit)
}

// Compression says how blocks are stored.
type Compression uint8

const (
	// Snappy compresses each block that gets smaller by at least an eighth.
	Snappy Compression = 0
	// NoCompression stores all blocks as they are.
	NoCompression Compression = 1
)

// String is "snappy" or "none".
func (c Compression) String() string {
	switch c {
	case Snappy:
		return "snappy"
	case NoCompression:
		return "none"
	}
	return fmt.Sprintf("compression(%d)", uint8(c))
}

// castagnoli is the polynomial of all checksums here; processors compute it.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum is the CRC-32C of b, begun at a value made from the offset at which b stands in its file. A block
// that a disk wrote to, or read from, another place thus does not check.
func checksum(b []byte, offset int64) uint32 {
	return crc32.Update(uint32(offset)^uint32(offset>>32), castagnoli, b)
}
