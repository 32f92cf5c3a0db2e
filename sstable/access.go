package sstable

// Mode says how a read treats the block cache.
type Mode uint8

const (
	// UseCache looks into the cache first and keeps there what had to be read.
	UseCache Mode = iota
	// PeekCache looks into the cache first and leaves it as it is: for long walks that come once.
	PeekCache
	// SkipCache reads everything from the file and leaves the cache as it is.
	SkipCache
)

// Access says how a read, or a row of reads, treats the block cache, and counts what they did. The zero value is
// ready. It belongs to one goroutine at a time.
type Access struct {
	// Mode is the caller's to set before a read.
	Mode Mode
	// BlocksCached and BlocksRead count data blocks that came from the cache and from the file. Each of the latter was one
	// read of the file, but for those of an Iter that goes on and on, which come several with a read.
	BlocksCached, BlocksRead int
	// BytesRead adds up the stored sizes of the latter.
	BytesRead int64
}
